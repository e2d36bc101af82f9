package org.readpast.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Handles jobs in an application that contains this jar but no engine. An implementation is a
 * stateless EJB with this remote interface. An engine on the same server calls the bean for the job
 * types that the configuration assigns to it.
 *
 * <pre>{@code
 * readpast.ejb.allow=java:global/legacy/
 * readpast.type."legacy.book".ejb=java:global/legacy/BookingBean!org.readpast.api.RemoteJobHandler
 * }</pre>
 *
 * <p>In mode TRANSACTIONAL, the default, the EJB is called in the transaction that completes the
 * job. The configuration sets the mode, timeout and retries ({@code readpast.type."…".mode} and so
 * on). The EJB handles jobs of version 1 of the type. The engine calls the EJB without a signed-in
 * user, so the method must be open to all callers.
 */
public interface RemoteJobHandler {
  /**
   * Handles one job.
   *
   * @param payload the payload as JSON; if it has another content type, a JSON string that contains
   *     the text, or the bytes in Base64
   * @param headers {@code id}, {@code queue}, {@code type}, {@code version}, {@code attempt},
   *     {@code retriesRemaining}, {@code priority}, {@code enqueuedAt} (ISO-8601) and {@code
   *     contentType}; if the job has them, also {@code uniqueKey}, {@code correlationId}, {@code
   *     lastFailure} and {@code property.<name>}
   * @return the result as JSON; null if there is none
   * @throws RemoteJobException to fail this attempt, or created by {@link
   *     RemoteJobException#retryLater}, {@link RemoteJobException#failNow} or {@link
   *     RemoteJobException#unreadable} for these outcomes; any other exception fails the attempt as
   *     well
   */
  @Nullable String handle(String payload, Map<String, String> headers) throws RemoteJobException;
}
