package org.readpast.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queue for applications on the same server that carry this jar and no engine: the remote EJB
 * of the deployed WAR. Types of the JDK only, since calls between applications are RMI-IIOP.
 *
 * <pre>{@code
 * RemoteJobQueue jobs = InitialContext.doLookup(RemoteJobQueue.JNDI_NAME);
 * jobs.enqueue("invoice.send", "{\"invoice\": 42}", Map.of("queue", "mail", "priority", "7"));
 * }</pre>
 *
 * <p>A change joins the caller's JTA transaction, or has one of its own where there is none; if it
 * is refused, the caller's transaction is marked for rollback. Callers need the role {@code
 * readpast-operator} or {@code readpast-admin}, or one that the configuration names for the job's
 * queue; a viewer's role is enough for {@link #state}.
 *
 * <p>Headers are those of the REST API, as texts: {@code queue} ({@code default}), {@code version}
 * of the type, {@code priority}, {@code delay}, {@code at}, {@code expiresIn}, {@code expiresAt},
 * {@code uniqueKey}, {@code replaceWaiting} ({@code true} or {@code false}), {@code postpone} and
 * {@code latestStart}, {@code correlationId}, {@code maxAttempts}, {@code group}, {@code
 * groupFailure}, {@code batch}, {@code wave}, {@code predecessorFailure}; {@code after}, ids
 * separated by commas; {@code contentType}; and {@code property.<name>}. Other names are refused.
 *
 * <p>Codes of a {@link RemoteJobException}: {@code FORBIDDEN}, the caller lacks the role; {@code
 * REJECTED}, what was asked breaks a rule; {@code UNKNOWN_TYPE}, no engine has ever had a handler
 * of that type; {@code NOT_FOUND}; {@code CONFLICT}, the job's or batch's state does not allow it;
 * {@code UNAVAILABLE}, the database does not answer now.
 */
public interface RemoteJobQueue {
  /** Where the WAR named {@code readpast.war} publishes it. */
  String JNDI_NAME = "java:global/readpast/JobQueueBean!org.readpast.api.RemoteJobQueue";

  /**
   * Enqueues one job.
   *
   * @param payload JSON, or with a header {@code contentType} a text
   * @return its id, or that of the live job that holds its unique key
   */
  @CanIgnoreReturnValue
  long enqueue(String type, String payload, Map<String, String> headers) throws RemoteJobException;

  /**
   * Enqueues one job whose payload is bytes.
   *
   * @param headers with a {@code contentType}
   */
  @CanIgnoreReturnValue
  long enqueueBytes(String type, byte[] payload, Map<String, String> headers)
      throws RemoteJobException;

  /**
   * Enqueues many jobs that differ in their payloads only; all, or none.
   *
   * @return their ids, in the order given
   */
  @CanIgnoreReturnValue
  List<Long> enqueueAll(String type, List<String> payloads, Map<String, String> headers)
      throws RemoteJobException;

  /**
   * Where a job stands: the name of a {@link JobState}. In the caller's transaction it sees what
   * that has enqueued.
   */
  String state(long id) throws RemoteJobException;

  /**
   * Cancels a job that waits; asks one that is in work to end.
   *
   * @return whether it has ended; false: it was asked to, or will just after the commit
   */
  @CanIgnoreReturnValue
  boolean cancel(long id) throws RemoteJobException;

  /**
   * Makes a SCHEDULED job due now.
   *
   * @see JobQueue#runNow
   */
  void runNow(long id) throws RemoteJobException;

  /**
   * Changes when a job becomes due that has not begun.
   *
   * @param at a moment in ISO-8601, such as {@code 2027-01-01T06:00:00Z}
   * @see JobQueue#reschedule
   */
  void reschedule(long id, String at) throws RemoteJobException;

  /**
   * Cancels the live job that holds a unique key; code {@code NOT_FOUND} if none does.
   *
   * @return as {@link #cancel}
   */
  @CanIgnoreReturnValue
  boolean cancelUniqueKey(String uniqueKey) throws RemoteJobException;

  /** Brings a DISCARDED, CANCELLED or EXPIRED job back, with its full number of attempts. */
  void reset(long id) throws RemoteJobException;

  /**
   * Waits for the end of a job that has been committed, and gives what its handler gave.
   *
   * @param timeoutMillis how long to wait, at most 60,000: the call holds a thread of the server
   * @return its result as JSON; null: none was given, or it ended badly, or not yet, as {@link
   *     #state} says
   */
  @Nullable String await(long id, long timeoutMillis) throws RemoteJobException;
}
