/**
 * Schedules: what an application declares, when the next is due, and the jobs that are made for it.
 * A schedule is one more caller that enqueues; the engine only calls {@link
 * org.readpast.engine.TimedWork}.
 *
 * <p>In reading order: {@link org.readpast.schedule.ScheduleDeclarations}, {@link
 * org.readpast.schedule.ScheduleClock}, {@link org.readpast.schedule.ScheduleFiring}, {@link
 * org.readpast.schedule.Schedules}, {@link org.readpast.schedule.ScheduleSql}. When a schedule
 * fires next is computed in {@code model}; what operators do with schedules is in {@code admin}.
 *
 * <p>Knows {@code engine}, {@code store}, {@code model} and {@code api}.
 */
package org.readpast.schedule;
