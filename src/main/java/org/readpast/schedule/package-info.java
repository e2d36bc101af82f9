/**
 * Fires schedules: determines which schedules and rules an application declares, when the next of
 * them is due, and the jobs that they create. To the engine, a schedule is a caller that enqueues
 * jobs; the engine only calls {@link org.readpast.engine.TimedWork}.
 *
 * <p>The classes in reading order: {@link org.readpast.schedule.ScheduleDeclarations}, {@link
 * org.readpast.schedule.ScheduleClock}, {@link org.readpast.schedule.ScheduleFiring}, {@link
 * org.readpast.schedule.Schedules}, {@link org.readpast.schedule.ScheduleSql}. The package {@code
 * model} computes when a schedule fires next, and {@code admin} contains the actions of operators
 * on schedules.
 *
 * <p>This package may depend on {@code engine}, {@code store}, {@code database}, {@code model} and
 * {@code api}.
 */
package org.readpast.schedule;
