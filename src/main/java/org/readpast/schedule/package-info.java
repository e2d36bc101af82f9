/**
 * Fires schedules: which schedules an application declares, when the next of them is due, and the
 * jobs that they create. For the engine, a schedule is a caller that enqueues; the engine only
 * calls {@link org.readpast.engine.TimedWork}.
 *
 * <p>In reading order: {@link org.readpast.schedule.ScheduleDeclarations}, {@link
 * org.readpast.schedule.ScheduleClock}, {@link org.readpast.schedule.ScheduleFiring}, {@link
 * org.readpast.schedule.Schedules}, {@link org.readpast.schedule.ScheduleSql}. The package {@code
 * model} computes when a schedule fires next; {@code admin} contains what operators do with
 * schedules.
 *
 * <p>May depend on {@code engine}, {@code store}, {@code model} and {@code api}.
 */
package org.readpast.schedule;
