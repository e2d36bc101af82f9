package org.readpast.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues and changes jobs for applications on the same server that contain this jar but no
 * engine. The deployed WAR provides this interface as a remote EJB. This interface uses only types
 * of the JDK, because calls between applications are RMI-IIOP.
 *
 * <pre>{@code
 * RemoteJobQueue jobs = InitialContext.doLookup(RemoteJobQueue.JNDI_NAME);
 * jobs.enqueue("invoice.send", "{\"invoice\": 42}", Map.of("queue", "mail", "priority", "7"));
 * }</pre>
 *
 * <p>A change joins the caller's JTA transaction, or runs in a separate transaction if there is
 * none. If a change is refused, the caller's transaction is marked for rollback. Callers need the
 * role {@code readpast-operator} or {@code readpast-admin}, or a role that the configuration
 * specifies for the job's queue; a viewer's role suffices for {@link #state}.
 *
 * <p>Headers are those of the REST API, as strings: {@code queue} ({@code default}), {@code
 * version} of the type, {@code priority}, {@code delay}, {@code at}, {@code expiresIn}, {@code
 * expiresAt}, {@code uniqueKey}, {@code replaceWaiting} ({@code true} or {@code false}), {@code
 * postpone} and {@code latestStart}, {@code correlationId}, {@code maxAttempts}, {@code group},
 * {@code groupFailure}, {@code batch}, {@code wave}, {@code predecessorFailure}; {@code after}, ids
 * separated by commas; {@code contentType}; and {@code property.<name>}. Headers with other names
 * are refused.
 *
 * <p>The codes of a {@link RemoteJobException} are: {@code FORBIDDEN}, the caller lacks the role;
 * {@code REJECTED}, the request breaks a rule; {@code UNKNOWN_TYPE}, no engine has ever had a
 * handler of that type; {@code NOT_FOUND}, the job does not exist; {@code CONFLICT}, the state of
 * the job or batch does not allow the request; {@code UNAVAILABLE}, the database does not respond
 * at present.
 */
public interface RemoteJobQueue {
  /** Contains the JNDI name under which a WAR named {@code readpast.war} publishes the EJB. */
  String JNDI_NAME = "java:global/readpast/JobQueueBean!org.readpast.api.RemoteJobQueue";

  /**
   * Enqueues one job.
   *
   * @param payload the payload as JSON, or as a string of another content type if the headers have
   *     a {@code contentType}
   * @return the id of the new job, or of the live job that already had its unique key
   */
  @CanIgnoreReturnValue
  long enqueue(String type, String payload, Map<String, String> headers) throws RemoteJobException;

  /**
   * Enqueues one job whose payload is bytes.
   *
   * @param headers the headers, which must include a {@code contentType}
   * @return the id of the new job, or of the live job that already had its unique key
   */
  @CanIgnoreReturnValue
  long enqueueBytes(String type, byte[] payload, Map<String, String> headers)
      throws RemoteJobException;

  /**
   * Enqueues many jobs that differ only in their payloads; all are enqueued, or none if one is
   * refused.
   *
   * @return the ids of the jobs, in the given order
   */
  @CanIgnoreReturnValue
  List<Long> enqueueAll(String type, List<String> payloads, Map<String, String> headers)
      throws RemoteJobException;

  /**
   * Returns the state of a job: the name of a {@link JobState}. In the caller's transaction, jobs
   * that the transaction has enqueued are visible.
   */
  String state(long id) throws RemoteJobException;

  /**
   * Cancels a waiting job, or asks a running job to end.
   *
   * @return true if the job has ended; false if it was asked to end, or will end shortly after the
   *     commit
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
   * Changes the due time of a job that has not started, or that waits for a retry.
   *
   * @param at the new due time in ISO-8601, such as {@code 2027-01-01T06:00:00Z}
   * @see JobQueue#reschedule
   */
  void reschedule(long id, String at) throws RemoteJobException;

  /**
   * Cancels the live job that has a unique key. The code of the exception is {@code NOT_FOUND} if
   * no live job has the key.
   *
   * @return as in {@link #cancel}
   */
  @CanIgnoreReturnValue
  boolean cancelUniqueKey(String uniqueKey) throws RemoteJobException;

  /** Makes a DISCARDED, CANCELLED or EXPIRED job live again, with its full number of attempts. */
  void reset(long id) throws RemoteJobException;

  /**
   * Waits until a committed job has ended, and returns the result of its handler.
   *
   * @param timeoutMillis how long to wait, at most 60,000, because the call blocks a thread of the
   *     server
   * @return the result as JSON; null if there is none, if the job failed, or if it has not ended
   *     yet, as {@link #state} shows
   */
  @Nullable String await(long id, long timeoutMillis) throws RemoteJobException;
}
