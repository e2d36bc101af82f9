/**
 * What operators and the console read in the database, and the verbs that only they use: paged
 * reads of jobs, queues, nodes and batches, the reasons why a job waits, changes of jobs and
 * queues, schedules, rules, the audit, the log of SQL jobs.
 *
 * <p>A package of its own, so that the engine cannot know it: the queue is understood, and runs,
 * without it. Its classes are shaped as those of {@code store}, whose {@link
 * org.readpast.store.Sql} and {@link org.readpast.store.Row} they use.
 *
 * <p>Knows {@code schedule}, {@code store}, {@code admin.sql}, {@code sql}, {@code model}, {@code
 * api} and JPA.
 */
package org.readpast.admin.store;
