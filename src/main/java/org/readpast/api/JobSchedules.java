package org.readpast.api;

import java.util.List;
import java.util.Optional;

/**
 * The schedules that this application defines while it runs, such as one for each of its customers.
 * Those that are known beforehand are declared by {@link Scheduled}.
 *
 * <p>Inject it: {@code @Inject JobSchedules schedules}. Every method joins the caller's
 * transaction: a schedule that it defines fires only after the commit, and what it changes is
 * undone by a rollback. Without a transaction a change is committed when the call returns. A
 * schedule stays until it is deleted, whether the application runs or not; while no node runs,
 * {@link CatchUp} says what becomes of its moments. A refused call has changed nothing, and marks
 * the caller's transaction for rollback. Every method throws a {@link DatabaseUnavailableException}
 * if the database does not answer.
 */
public interface JobSchedules {
  /**
   * Creates a schedule, or changes the one of that name. One that was disabled stays so. If the
   * timing does not change, the next planned moment does not either.
   *
   * @return true if it is new
   * @throws JobRejectedException if it breaks a rule, or no engine has ever registered a handler of
   *     the job's type
   * @throws StateConflictException if code or configuration declares a schedule of that name, or
   *     another application has defined it
   */
  @CanIgnoreReturnValue
  boolean define(JobSchedule schedule);

  /** Finds a schedule, whoever has defined it. */
  Optional<ScheduleStatus> find(String name);

  /** Returns the schedules that this application has defined by {@link #define}, by name. */
  List<ScheduleStatus> list();

  /**
   * Deletes a schedule and its history; its jobs stay.
   *
   * @throws NotFoundException if it does not exist
   * @throws StateConflictException if code, configuration or a rule declares it, or another
   *     application has defined it
   */
  void delete(String name);

  /**
   * Enables a schedule. Moments that passed while it was disabled have not been missed.
   *
   * @throws NotFoundException if it does not exist
   */
  void enable(String name);

  /**
   * Disables a schedule until it is enabled, whoever has defined it.
   *
   * @throws NotFoundException if it does not exist
   */
  void disable(String name);

  /**
   * Enqueues a job of a schedule now, also of a disabled one.
   *
   * @return the id of the job
   * @throws NotFoundException if it does not exist
   * @throws StateConflictException if the job of its previous run is live, and they may not overlap
   */
  @CanIgnoreReturnValue
  long run(String name);
}
