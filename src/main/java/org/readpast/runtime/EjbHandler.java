package org.readpast.runtime;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.ReadpastException;
import org.readpast.api.RemoteJobException;
import org.readpast.api.RemoteJobHandler;
import org.readpast.engine.UnreadablePayloadException;

/**
 * Forwards jobs to an EJB of another application. The configuration names and allows the EJB, and
 * the content of a job never influences which EJB is called.
 *
 * @param name the JNDI name of the EJB, below {@code java:global/}
 */
record EjbHandler(String type, String name) {
  private static final String HERE = "java:global/";

  /** Returns true if all names with this prefix belong to one application on this server. */
  static boolean prefix(String prefix) {
    return prefix.startsWith(HERE) && prefix.length() > HERE.length() && prefix.endsWith("/");
  }

  /** Returns true if the name begins with one of the prefixes. */
  static boolean allowed(String name, List<String> prefixes) {
    return prefixes.stream().anyMatch(prefix -> prefix(prefix) && name.startsWith(prefix));
  }

  /** Runs one attempt of a job. The value that the EJB returns becomes the result, as JSON. */
  JobResult work(String payload, JobContext context, Json json) throws Exception {
    RemoteJobHandler handler = find();
    String result;
    try {
      result = handler.handle(payload, headers(context));
    } catch (RemoteJobException e) {
      return switch (e.code()) {
        case "RETRY_LATER" -> JobResult.retryLater(java.time.Duration.ofMillis(e.pauseMillis()));
        case "UNREADABLE" ->
            throw new UnreadablePayloadException(String.valueOf(e.getMessage()), e);
        case "FAIL_NOW" -> JobResult.failNow(String.valueOf(e.getMessage()));
        default -> throw e;
      };
    }
    return result == null ? JobResult.done() : JobResult.done(value(result, json));
  }

  private Object value(String result, Json json) {
    try {
      return json.value(result);
    } catch (RuntimeException e) {
      throw new ReadpastException(
          "the result that "
              + name
              + " returned for job type '"
              + type
              + "' is not JSON: "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Looks up the EJB. The lookup is repeated for each attempt, because the other application is
   * deployed and undeployed independently.
   */
  @SuppressWarnings("BanJNDI") // An administrator configures the name, which is below java:global.
  private RemoteJobHandler find() {
    Object found;
    try {
      found = InitialContext.doLookup(name);
    } catch (NamingException e) {
      throw new ReadpastException(
          "job type '"
              + type
              + "' is handled by the EJB "
              + name
              + ", which does not exist; deploy its application, or correct"
              + " readpast.type.\""
              + type
              + "\".ejb",
          e);
    }
    if (found instanceof RemoteJobHandler handler) {
      return handler;
    }
    throw new ReadpastException(
        name
            + " is not a RemoteJobHandler; name the EJB's remote view,"
            + " …!org.readpast.api.RemoteJobHandler");
  }

  private static Map<String, String> headers(JobContext context) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("id", Long.toString(context.id()));
    headers.put("queue", context.queue());
    headers.put("type", context.type());
    headers.put("version", Integer.toString(context.version()));
    headers.put("attempt", Integer.toString(context.attempt()));
    headers.put("retriesRemaining", Integer.toString(context.retriesRemaining()));
    headers.put("priority", Integer.toString(context.priority()));
    headers.put("enqueuedAt", context.enqueuedAt().toString());
    headers.put("contentType", context.contentType());
    put(headers, "uniqueKey", context.uniqueKey());
    put(headers, "correlationId", context.correlationId());
    put(headers, "lastFailure", context.lastFailure());
    context.properties().forEach((name, value) -> headers.put("property." + name, value));
    return headers;
  }

  private static void put(Map<String, String> headers, String name, @Nullable String value) {
    if (value != null) {
      headers.put(name, value);
    }
  }
}
