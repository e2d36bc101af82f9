package org.readpast.admin;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.api.StateConflictException;
import org.readpast.model.Names;
import org.readpast.model.Transition;
import org.readpast.schedule.Schedules.Declaration;

/** Creates the exceptions for requests that the current state does not allow. */
public final class StateConflict {
  private StateConflict() {}

  /**
   * Reports that the state of a job does not allow an action; {@code done} is the past participle
   * of the verb, such as "cancelled" or "reset".
   */
  public static StateConflictException of(Transition verb, String done, long id, JobState state) {
    return new StateConflictException(
        "job " + id + " is " + state + "; only jobs that are " + allowed(verb) + " can be " + done);
  }

  static StateConflictException notWaiting(long id, JobState state) {
    return new StateConflictException(
        "job " + id + " is " + state + "; only the priority of a waiting job can be changed");
  }

  static StateConflictException live(long id, JobState state) {
    return new StateConflictException(
        "job "
            + id
            + " is "
            + state
            + "; only jobs that have ended can be deleted: cancel it first");
  }

  /**
   * Reports that another job waits for the job; {@code follower} is that job, or null if the caller
   * does not see it.
   */
  static StateConflictException followed(long id, @Nullable Long follower) {
    return new StateConflictException(
        "job "
            + id
            + " cannot be deleted: "
            + (follower == null
                ? "a job in a queue that your roles do not cover"
                : "job " + follower)
            + " waits for it to succeed; reset this job, or cancel the waiting one first");
  }

  static StateConflictException inUse(long id) {
    return new StateConflictException(
        "job " + id + " is being changed by another transaction; try again in a second");
  }

  static StateConflictException notJson(long id, String contentType) {
    return new StateConflictException(
        "the payload of job "
            + id
            + " is "
            + contentType
            + ", but only JSON can be edited; reset the job with its present payload, or"
            + " enqueue another job");
  }

  static StateConflictException noPayload(long id) {
    return new StateConflictException(
        "the payload of job " + id + " was erased; specify another payload to reset the job");
  }

  static StateConflictException ended(String batch) {
    return new StateConflictException(
        "batch '" + batch + "' has ended; only a batch that has not ended can be held");
  }

  static StateConflictException drained(String node, String state) {
    return new StateConflictException(
        "node '" + node + "' is " + state + "; only nodes that are ACTIVE can be drained");
  }

  /**
   * Reports that the unique key of a new job belongs to a job in a queue that the caller does not
   * see.
   */
  static StateConflictException keyTaken(String uniqueKey) {
    return new StateConflictException(
        "a live job in a queue that your roles do not cover holds unique key '"
            + Names.excerpt(uniqueKey)
            + "'; use keys that begin with the name of your queue");
  }

  /**
   * Reports that another job has the unique key of a job that is to be reset.
   *
   * @param holder the other job, or null if the caller does not see it
   */
  public static StateConflictException keyHeld(long id, String uniqueKey, @Nullable Long holder) {
    return new StateConflictException(
        "job "
            + id
            + " cannot be reset: "
            + (holder == null ? "a job in a queue that your roles do not cover" : "job " + holder)
            + " is live and holds its unique key '"
            + uniqueKey
            + "'; wait until that job ends, or cancel it");
  }

  /**
   * Reports that a job cannot be reset, because jobs that would have waited for it have started.
   */
  public static StateConflictException overtaken(long id) {
    return new StateConflictException(
        "jobs that waited for job "
            + id
            + " have started, or no longer wait for it; reset it with force=true if it"
            + " may run after them");
  }

  static StateConflictException declared(String rule) {
    return new StateConflictException(
        "rule '"
            + rule
            + "' is declared by the configuration; change readpast.rule.\""
            + rule
            + "\".… there");
  }

  static StateConflictException disabled(String rule) {
    return new StateConflictException("rule '" + rule + "' is disabled; enable it first");
  }

  static StateConflictException declaredSchedule(String name, Declaration by, String verb) {
    return new StateConflictException(
        "schedule '"
            + name
            + "' is declared by application '"
            + by.owner()
            + "' on node '"
            + by.node()
            + "' ("
            + by.place()
            + ") and cannot be "
            + verb
            + " here; change it in that application, or disable it");
  }

  static StateConflictException filledBySchedule(String name, String rule) {
    return new StateConflictException(
        "schedule '"
            + name
            + "' runs rule '"
            + rule
            + "'; remove the schedule from that rule, or disable it");
  }

  static StateConflictException foreignSchedule(String name, String owner, String verb) {
    return new StateConflictException(
        "schedule '"
            + name
            + "' was defined by application '"
            + owner
            + "' and cannot be "
            + verb
            + " by another application; choose another name, or delete the schedule in"
            + " that application");
  }

  static StateConflictException overlap(String name, @Nullable Long job) {
    return new StateConflictException(
        "schedule '"
            + name
            + "' does not allow runs to overlap, and job "
            + job
            + " of its previous run is still live; wait until that job ends, or cancel it");
  }

  private static String allowed(Transition verb) {
    return verb.from().stream().map(JobState::name).collect(Collectors.joining(", "));
  }
}
