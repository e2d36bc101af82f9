/**
 * Defines what users may do with jobs, queues, nodes, schedules and rules (read, enqueue, cancel,
 * reset, pause, define, run), and what their SQL may do. All outer layers share it.
 *
 * <p>A rule becomes jobs in three classes: {@code RuleControl} defines it and enqueues the job that
 * runs it, {@code RuleFill} executes that job, and {@code RuleSearch} is the first half of the run.
 *
 * <p>Its statements are in {@code admin.sql}, and the classes that send them in {@code
 * admin.store}.
 *
 * <p>Knows {@code admin.store}, {@code engine}, {@code store} and what lies below.
 */
package org.readpast.admin;
