/**
 * What people may do with jobs, queues, nodes, schedules and rules: look, enqueue, cancel, reset,
 * pause, define, fill; and what SQL of theirs may do. Shared by every shell.
 *
 * <p>A rule's way from search to jobs: {@code RuleControl} defines it and enqueues the job that
 * fills it, {@code RuleFill} works that job, {@code RuleSearch} is its first half.
 *
 * <p>Its statements, and the classes that send them, are in {@code admin.sql} and {@code
 * admin.store}.
 *
 * <p>Knows {@code admin.store}, {@code engine}, {@code store} and what lies below.
 */
package org.readpast.admin;
