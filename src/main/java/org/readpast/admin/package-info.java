/**
 * Implements what users may do with jobs, queues, nodes, schedules and rules (read, enqueue,
 * cancel, reset, pause, define, run), and decides which SQL may be executed. All interfaces to
 * users, such as REST and JMX, use this package.
 *
 * <p>A rule becomes jobs in three classes: {@code RuleControl} defines it and enqueues the job that
 * runs it, {@code RuleFill} executes that job, and {@code RuleSearch} is the first half of the run.
 *
 * <p>The statements of this package are in {@code admin.sql}, and the classes that execute them are
 * in {@code admin.store}.
 *
 * <p>This package depends on {@code admin.store}, {@code engine}, {@code store}, and the packages
 * that these depend on.
 */
package org.readpast.admin;
