package org.readpast.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues and changes jobs for applications on the same server that carry this jar but no engine.
 * It is the remote EJB of the deployed WAR. It uses only types of the JDK, because calls between
 * applications are RMI-IIOP.
 *
 * <pre>{@code
 * RemoteJobQueue jobs = InitialContext.doLookup(RemoteJobQueue.JNDI_NAME);
 * jobs.enqueue("invoice.send", "{\"invoice\": 42}", Map.of("queue", "mail", "priority", "7"));
 * }</pre>
 *
 * <p>A change joins the caller's JTA transaction, or runs in its own if there is none. If it is
 * refused, the caller's transaction is marked for rollback. Callers need the role {@code
 * readpast-operator} or {@code readpast-admin}, or a role that the configuration names for the
 * job's queue; a viewer's role is enough for {@link #state}.
 *
 * <p>Headers are those of the REST API, as texts: {@code queue} ({@code default}), {@code version}
 * of the type, {@code priority}, {@code delay}, {@code at}, {@code expiresIn}, {@code expiresAt},
 * {@code uniqueKey}, {@code replaceWaiting} ({@code true} or {@code false}), {@code postpone} and
 * {@code latestStart}, {@code correlationId}, {@code maxAttempts}, {@code group}, {@code
 * groupFailure}, {@code batch}, {@code wave}, {@code predecessorFailure}; {@code after}, ids
 * separated by commas; {@code contentType}; and {@code property.<name>}. Other names are refused.
 *
 * <p>Codes of a {@link RemoteJobException}: {@code FORBIDDEN}, the caller lacks the role; {@code
 * REJECTED}, the request breaks a rule; {@code UNKNOWN_TYPE}, no engine has ever had a handler of
 * that type; {@code NOT_FOUND}, the job does not exist; {@code CONFLICT}, the state of the job or
 * batch does not allow the request; {@code UNAVAILABLE}, the database does not respond at the
 * moment.
 */
public interface RemoteJobQueue {
  /** The JNDI name under which a WAR named {@code readpast.war} publishes the EJB. */
  String JNDI_NAME = "java:global/readpast/JobQueueBean!org.readpast.api.RemoteJobQueue";

  /**
   * Enqueues one job.
   *
   * @param payload JSON; or a text of another content type if the headers have a {@code
   *     contentType}
   * @return the id of the job, or that of the live job that holds its unique key
   */
  @CanIgnoreReturnValue
  long enqueue(String type, String payload, Map<String, String> headers) throws RemoteJobException;

  /**
   * Enqueues one job whose payload is bytes.
   *
   * @param headers must have a {@code contentType}
   * @return the id of the job, or that of the live job that holds its unique key
   */
  @CanIgnoreReturnValue
  long enqueueBytes(String type, byte[] payload, Map<String, String> headers)
      throws RemoteJobException;

  /**
   * Enqueues many jobs that differ only in their payloads; either all are enqueued or none.
   *
   * @return the ids of the jobs, in the given order
   */
  @CanIgnoreReturnValue
  List<Long> enqueueAll(String type, List<String> payloads, Map<String, String> headers)
      throws RemoteJobException;

  /**
   * Returns the state of a job: the name of a {@link JobState}. In the caller's transaction, this
   * includes jobs that the transaction has enqueued.
   */
  String state(long id) throws RemoteJobException;

  /**
   * Cancels a waiting job, or asks a running job to end.
   *
   * @return true if the job has ended; false if it was asked to end, or will end just after the
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
   * Changes when a job becomes due that has not started or is waiting for its next attempt.
   *
   * @param at a moment in ISO-8601, such as {@code 2027-01-01T06:00:00Z}
   * @see JobQueue#reschedule
   */
  void reschedule(long id, String at) throws RemoteJobException;

  /**
   * Cancels the live job that holds a unique key. The code is {@code NOT_FOUND} if no live job
   * holds the key.
   *
   * @return as {@link #cancel}
   */
  @CanIgnoreReturnValue
  boolean cancelUniqueKey(String uniqueKey) throws RemoteJobException;

  /** Makes a DISCARDED, CANCELLED or EXPIRED job live again, with its full number of attempts. */
  void reset(long id) throws RemoteJobException;

  /**
   * Waits for a committed job to end, and returns the result of its handler.
   *
   * @param timeoutMillis how long to wait, at most 60,000: the call blocks a thread of the server
   * @return the result as JSON; null if there is none, if the job failed, or if it has not ended
   *     yet, as {@link #state} shows
   */
  @Nullable String await(long id, long timeoutMillis) throws RemoteJobException;
}
