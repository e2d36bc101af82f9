package org.readpast.api;

import java.util.List;
import java.util.Optional;

/**
 * Manages the schedules that this application defines while it runs, such as one for each of its
 * customers. Schedules that are known in advance are declared with the annotation {@link
 * Scheduled}.
 *
 * <p>Inject it: {@code @Inject JobSchedules schedules}. Every method joins the caller's
 * transaction: a new schedule fires only after the commit, and a rollback undoes all changes.
 * Outside a transaction, a change is committed when the call returns. A schedule remains until it
 * is deleted, whether or not the application runs; {@link CatchUp} specifies what happens to runs
 * that were planned while no node was running. A call that is refused changes nothing and marks the
 * caller's transaction for rollback. Every method throws a {@link DatabaseUnavailableException} if
 * the database does not respond.
 */
public interface JobSchedules {
  /**
   * Creates a schedule, or changes the schedule that has this name. A disabled schedule stays
   * disabled. If the timing does not change, the next planned time also stays unchanged.
   *
   * @return true if the schedule is new
   * @throws JobRejectedException if the schedule breaks a rule, or if no engine has ever registered
   *     a handler of the job's type
   * @throws StateConflictException if code or configuration declares a schedule with this name, or
   *     if another application has defined it
   */
  @CanIgnoreReturnValue
  boolean define(JobSchedule schedule);

  /** Finds a schedule, regardless of who defined it. */
  Optional<ScheduleStatus> find(String name);

  /**
   * Returns the schedules that this application has defined with {@link #define}, sorted by name.
   */
  List<ScheduleStatus> list();

  /**
   * Deletes a schedule and its history; its jobs remain.
   *
   * @throws NotFoundException if the schedule does not exist
   * @throws StateConflictException if code, configuration or a rule declares the schedule, or if
   *     another application has defined it
   */
  void delete(String name);

  /**
   * Enables a schedule. Runs that were planned while it was disabled do not count as missed.
   *
   * @throws NotFoundException if the schedule does not exist
   */
  void enable(String name);

  /**
   * Disables a schedule, regardless of who defined it, until it is enabled again.
   *
   * @throws NotFoundException if the schedule does not exist
   */
  void disable(String name);

  /**
   * Enqueues a job of a schedule now, even if the schedule is disabled.
   *
   * @return the id of the job
   * @throws NotFoundException if the schedule does not exist
   * @throws StateConflictException if the job of the previous run is live and the schedule does not
   *     allow overlap
   */
  @CanIgnoreReturnValue
  long run(String name);
}
