package org.readpast.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Works jobs in an application that carries this jar and no engine: a stateless EJB with this
 * remote interface, which an engine on the same server calls for the job types that configuration
 * gives it.
 *
 * <pre>{@code
 * readpast.ejb.allow=java:global/legacy/
 * readpast.type."legacy.book".ejb=java:global/legacy/BookingBean!org.readpast.api.RemoteJobHandler
 * }</pre>
 *
 * <p>In mode TRANSACTIONAL, the default, it is called in the transaction that acknowledges the job;
 * configuration chooses mode, timeout and retries ({@code readpast.type."…".mode} and so on). It
 * works jobs of version 1 of the type. The engine calls as nobody: leave the method open to all.
 */
public interface RemoteJobHandler {
  /**
   * Works one job.
   *
   * @param payload JSON; of another content type a JSON string, of text or of bytes in Base64
   * @param headers {@code id}, {@code queue}, {@code type}, {@code version}, {@code attempt},
   *     {@code retriesRemaining}, {@code priority}, {@code enqueuedAt} (ISO-8601), {@code
   *     contentType}; where there are such, {@code uniqueKey}, {@code correlationId}, {@code
   *     lastFailure} and {@code property.<name>}
   * @return its result as JSON; null: none
   * @throws RemoteJobException to fail this attempt, or made by {@link
   *     RemoteJobException#retryLater}, {@link RemoteJobException#failNow} or {@link
   *     RemoteJobException#unreadable}; any other exception fails the attempt as well
   */
  @Nullable String handle(String payload, Map<String, String> headers) throws RemoteJobException;
}
