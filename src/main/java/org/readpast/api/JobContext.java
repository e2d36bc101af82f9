package org.readpast.api;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Provides a handler with the job that it is running, and accepts what the handler reports while it
 * runs.
 */
public interface JobContext {
  /** Returns the job's id. */
  long id();

  /** Returns the queue from which the job was claimed. */
  String queue();

  /** Returns the name of the job type. */
  String type();

  /**
   * Returns the version of the job type with which the job was enqueued, as in {@link
   * JobType#version()}.
   */
  int version();

  /** Returns the number of this attempt, from 1 (the delivery count of Jakarta Messaging). */
  int attempt();

  /**
   * Returns how many attempts are left after this one, or {@link JobRequest#UNLIMITED} if there is
   * no limit.
   */
  int retriesRemaining();

  /**
   * Returns the failure of the previous attempt, or null if there is none or it is no longer
   * stored.
   */
  @Nullable String lastFailure();

  /** Returns the priority, from 0 (lowest) to 9 (highest). */
  int priority();

  /** Returns when the job was enqueued, by the database's clock. */
  Instant enqueuedAt();

  /**
   * Returns the name of the caller that enqueued the job, as the container reported it; null if no
   * user was signed in. If another job enqueued this job with {@link JobContext#enqueue}, the name
   * is that of the caller that enqueued the other job.
   */
  @Nullable String enqueuedBy();

  /** Returns the unique key, or null if there is none. */
  @Nullable String uniqueKey();

  /** Returns the correlation id, or null if there is none. */
  @Nullable String correlationId();

  /**
   * Returns the content type of the payload; {@code application/json} unless the request set
   * another one.
   */
  String contentType();

  /** Returns the properties. */
  Map<String, String> properties();

  /**
   * Checks in the database whether this attempt still owns the job. Returns false after another
   * node has taken the job over, or after this attempt has been interrupted. The handler should
   * then stop: its result will not be acknowledged, and its transaction will be rolled back.
   */
  boolean stillOwner();

  /**
   * Returns true if the cancellation of this job was requested. A handler that checks for a
   * cancellation can end early by throwing an exception.
   */
  boolean cancellationRequested();

  /**
   * Reports progress. The progress is stored immediately, whether or not the attempt succeeds,
   * unless the attempt no longer owns the job. If the database is unavailable, no exception is
   * thrown: the latest progress is buffered, and stored when the database responds again, but no
   * later than the end of the attempt.
   *
   * @param done the amount of work done so far
   * @param total the total amount of work, in the same unit
   */
  void progress(long done, long total);

  /**
   * Adds a line to the job's log. The line is stored immediately, whether or not the attempt
   * succeeds, unless the attempt no longer owns the job. If the database is unavailable, no
   * exception is thrown: up to 1,000 lines or 131,072 characters of each attempt are buffered, and
   * stored with their times when the database responds again, but no later than the end of the
   * attempt. Further lines are dropped, and one line reports their number.
   *
   * @param text the line, which is cut after 4,000 characters
   */
  void log(String text);

  /**
   * Enqueues a job if and only if this job succeeds. In both receive modes, the new job is stored
   * in the transaction that completes this job.
   *
   * @param job a payload or a {@link JobRequest}
   */
  void enqueue(Object job);
}
