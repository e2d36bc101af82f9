package org.readpast.api;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a handler knows of the job in its hands, and what it can tell while it works. */
public interface JobContext {
  /** The job's id. */
  long id();

  /** The queue that it came from. */
  String queue();

  /** The name of its type. */
  String type();

  /** The version of its type in which it was enqueued, as {@link JobType#version()}. */
  int version();

  /** Which attempt this is, from 1 (Jakarta Messaging's delivery count). */
  int attempt();

  /** How many attempts are left after this one; {@link JobRequest#UNLIMITED} if there is no end. */
  int retriesRemaining();

  /** What the attempt before this one failed with, as far as it is kept; null: nothing. */
  @Nullable String lastFailure();

  /** 0 to 9. */
  int priority();

  /** When it was enqueued, by the database's clock. */
  Instant enqueuedAt();

  /**
   * The name of the caller who enqueued it, as the container had it; of a job that another job has
   * enqueued by {@link JobContext#enqueue}, that of the other's. Null: nobody was signed in.
   */
  @Nullable String enqueuedBy();

  /** Its unique key, if it has one. */
  @Nullable String uniqueKey();

  /** Its correlation id, if it has one. */
  @Nullable String correlationId();

  /** What its payload is; {@code application/json} unless something else was said. */
  String contentType();

  /** Its properties. */
  Map<String, String> properties();

  /**
   * Asks the database whether this attempt still owns the job. False after another node has taken
   * the job over, or once this attempt was interrupted: stop then, because nothing that follows
   * will be acknowledged, and a transaction will be rolled back.
   */
  boolean stillOwner();

  /** Whether somebody asked to cancel this job. A handler that looks can end early by throwing. */
  boolean cancellationRequested();

  /**
   * Shows how far the work is; kept at once, whatever becomes of the attempt, unless it no longer
   * owns the job. Never throws because the database is unavailable: the latest progress is buffered
   * then, and stored when the database answers again, at the latest with the end of the attempt.
   */
  void progress(long done, long total);

  /**
   * Adds a line to the job's log, cut after 4,000 characters; kept at once, whatever becomes of the
   * attempt, unless it no longer owns the job. Never throws because the database is unavailable: of
   * each attempt 1,000 lines or 131,072 characters are buffered then, and stored with their times
   * when the database answers again, at the latest with the end of the attempt. Lines beyond that
   * are dropped, and one line says how many.
   */
  void log(String text);

  /**
   * Enqueues a job that comes to exist if and only if this job ends well, in the same transaction,
   * in both modes.
   *
   * @param job a payload or a {@link JobRequest}
   */
  void enqueue(Object job);
}
