package org.readpast.testkit;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.api.ReadpastException;
import org.readpast.model.ContentType;
import org.readpast.model.StoredType;
import org.readpast.runtime.Json;

/**
 * Represents a job in memory for a test.
 *
 * @param enqueuedBy null, because no user is signed in during a unit test
 * @param availableAt the earliest time at which the job can or could run
 * @param lastFailure the failure of the last failed attempt as {@code class: message}, or null if
 *     no attempt has failed
 * @param log the lines that the handler has logged
 * @param done the progress that the handler has reported, as is {@code total}
 * @param stored the payload in the form in which the database would store it
 * @param writtenResult the result as JSON, or null if there is none
 */
record TestJobView(
    long id,
    String queue,
    String type,
    int version,
    JobState state,
    int attempt,
    int priority,
    Instant enqueuedAt,
    @Nullable String enqueuedBy,
    Instant availableAt,
    @Nullable String uniqueKey,
    @Nullable String correlationId,
    Map<String, String> properties,
    String contentType,
    @Nullable String lastFailure,
    List<String> log,
    long done,
    long total,
    String stored,
    @Nullable String writtenResult)
    implements TestJob {

  static TestJobView of(MemoryJob job, JobState state) {
    return new TestJobView(
        job.id,
        job.asked.queue(),
        StoredType.nameOf(job.asked.type()),
        StoredType.of(job.asked.type()).version(),
        state,
        job.attempt,
        job.asked.priority(),
        job.enqueuedAt,
        job.asked.enqueuedBy().name(),
        job.availableAt,
        job.asked.uniqueKey(),
        job.asked.correlationId(),
        Binding.json().readProperties(job.asked.properties()),
        ContentType.nameOf(job.asked.contentType()),
        job.failures.isEmpty() ? null : job.failures.get(job.failures.size() - 1).text(),
        List.copyOf(job.log),
        job.done,
        job.total,
        job.asked.payload(),
        job.result);
  }

  @Override
  public <T> T payload(Class<T> as) {
    return Binding.json().payloadOf(id, new StoredType(type, version), contentType, stored, as);
  }

  @Override
  public <T> @Nullable T result(Class<T> as) {
    if (writtenResult == null) {
      return null;
    }
    try {
      return Binding.json().readPayload(null, writtenResult, as);
    } catch (RuntimeException e) {
      throw new ReadpastException(
          "the result of job " + id + " does not fit " + as.getName() + ": " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return "job "
        + id
        + " "
        + type
        + " "
        + state
        + (attempt == 0 ? "" : " attempt " + attempt)
        + " "
        + (stored.length() <= 200 ? stored : stored.substring(0, 200) + "…");
  }

  /** Holds the JSON support of the real engine, which is looked up once for all tests of a JVM. */
  static final class Binding {
    private static @Nullable Json json;

    private Binding() {}

    static synchronized Json json() {
      if (json == null) {
        try {
          json = new Json();
        } catch (RuntimeException | LinkageError e) {
          throw new ReadpastException(
              "the test kit writes payloads as JSON, like the server, but JSON Binding is not"
                  + " on the test class path; add org.eclipse:yasson with scope test",
              e);
        }
      }
      return json;
    }
  }
}
