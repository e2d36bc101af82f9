/**
 * Reads and changes the database for operators and the console: paged reads of jobs, queues, nodes
 * and batches, the reasons why a job waits, changes to jobs and queues, schedules, rules, the
 * audit, and the log of SQL jobs.
 *
 * <p>The package is separate so that the engine cannot depend on it: the queue can be understood,
 * and runs, without it. The classes have the same structure as those of {@code store}, and use
 * {@link org.readpast.database.Sql} and {@link org.readpast.database.Row}.
 *
 * <p>This package depends on {@code schedule}, {@code enqueue}, {@code store}, {@code admin.sql},
 * {@code sql}, {@code database}, {@code model}, {@code api} and JPA.
 */
package org.readpast.admin.store;
