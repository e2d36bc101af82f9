package org.readpast.rest.jobs;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Limits;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobRequest;
import org.readpast.api.PredecessorFailure;
import org.readpast.model.ContentType;
import org.readpast.model.Debounce;
import org.readpast.model.JobDependencies;
import org.readpast.model.JobProperties;
import org.readpast.model.Names;
import org.readpast.model.NewJob;
import org.readpast.model.StoredType;
import org.readpast.rest.http.Fields;
import org.readpast.rest.http.JsonText;
import org.readpast.rest.http.RequestException;

/** Reads the jobs that a request enqueues. */
public final class JobRequests {
  private static final List<String> KNOWN =
      List.of(
          "type",
          "version",
          "payload",
          "contentType",
          "priority",
          "delay",
          "at",
          "expiresIn",
          "expiresAt",
          "uniqueKey",
          "replaceWaiting",
          "postpone",
          "latestStart",
          "correlationId",
          "maxAttempts",
          "properties",
          "group",
          "groupFailure",
          "batch",
          "wave",
          "ref",
          "after",
          "predecessorFailure");

  private static final List<String> KNOWN_WITH_QUEUE =
      Stream.concat(Stream.of("queue"), KNOWN.stream()).toList();

  private final @Nullable String queue;
  private final Limits limits;

  /** Creates a reader for jobs of one queue. */
  public JobRequests(String queue, Limits limits) {
    this(limits, queue);
  }

  private JobRequests(Limits limits, @Nullable String queue) {
    this.queue = queue;
    this.limits = limits;
  }

  /** Creates a reader for jobs that name their own queue. */
  public static JobRequests withQueue(Limits limits) {
    return new JobRequests(limits, null);
  }

  public List<NewJob> all(JsonText array) {
    List<JsonText> elements = array.elements();
    if (elements.isEmpty()) {
      throw RequestException.malformed("the array is empty; specify at least one job");
    }
    if (elements.size() > limits.jobs()) {
      throw RequestException.tooLarge(
          elements.size()
              + " jobs are too many; send at most "
              + limits.jobs()
              + " in one request");
    }
    List<NewJob> jobs = new ArrayList<>(elements.size());
    for (JsonText element : elements) {
      try {
        jobs.add(one(element));
      } catch (RequestException e) {
        throw e.at(jobs.size());
      } catch (JobRejectedException e) {
        throw RequestException.malformed(String.valueOf(e.getMessage())).at(jobs.size());
      }
    }
    return jobs;
  }

  public NewJob one(JsonText json) {
    Fields fields = Fields.of(json, "a job", queue == null ? KNOWN_WITH_QUEUE : KNOWN);
    Integer priority = fields.whole("priority");
    ContentType contentType = ContentType.of(fields.text("contentType"));
    NewJob job =
        new NewJob(
            queue == null ? fields.required("queue", "the queue of the job") : queue,
            type(fields),
            priority == null ? JobRequest.DEFAULT_PRIORITY : priority,
            fields.duration("delay"),
            fields.moment("at"),
            fields.duration("expiresIn"),
            fields.moment("expiresAt"),
            fields.text("uniqueKey"),
            fields.text("correlationId"),
            properties(fields.get("properties")),
            maxAttempts(fields),
            place(fields),
            payload(fields.get("payload"), contentType),
            contentType == null ? null : contentType.name());
    return job.with(
        Debounce.of(
            Boolean.TRUE.equals(fields.flag("replaceWaiting")),
            fields.duration("postpone"),
            fields.duration("latestStart")));
  }

  /** Returns the requested job type, with its version if one is given. */
  static String type(Fields fields) {
    String name = fields.required("type", "the job type that the handler is registered for");
    Names.checkType(name);
    Integer version = fields.whole("version");
    return version == null ? name : StoredType.stated(name, StoredType.checkVersion(version));
  }

  private static JobDependencies place(Fields fields) {
    List<Long> after = new ArrayList<>();
    List<String> afterRefs = new ArrayList<>();
    for (JsonText predecessor : fields.array("after")) {
      if (predecessor.isString()) {
        afterRefs.add(predecessor.string());
      } else if (predecessor.text().matches("[0-9]{1,18}")) {
        after.add(Long.valueOf(predecessor.text()));
      } else {
        throw Fields.wrong("after", predecessor, "ids of jobs, or refs of jobs in the same array");
      }
    }
    Integer wave = fields.whole("wave");
    GroupFailure groupFailure = fields.choice("groupFailure", GroupFailure.class);
    PredecessorFailure failure = fields.choice("predecessorFailure", PredecessorFailure.class);
    return new JobDependencies(
        fields.text("group"),
        groupFailure == null ? GroupFailure.SKIP : groupFailure,
        fields.text("batch"),
        wave == null ? 0 : wave,
        fields.text("ref"),
        after,
        afterRefs,
        failure == null ? PredecessorFailure.HOLD : failure);
  }

  private String payload(@Nullable JsonText payload, @Nullable ContentType contentType) {
    if (payload == null) {
      throw RequestException.malformed("payload is missing; specify a JSON value, for example {}");
    }
    if (contentType != null) {
      checkContent(payload, contentType);
    }
    return checked(payload, limits);
  }

  /** Checks the size of a payload and returns its text. */
  static String checked(JsonText payload, Limits limits) {
    if (size(payload.text()) > limits.payloadBytes()) {
      throw RequestException.tooLarge(
          "payload is larger than "
              + limits.payloadBytes()
              + " bytes; store the data elsewhere and send a reference");
    }
    return payload.text();
  }

  private static void checkContent(JsonText payload, ContentType contentType) {
    String wanted =
        contentType.text() ? "the text, as a string" : "the bytes in Base64, as a string";
    if (!payload.isString() || !Names.storable(payload.string())) {
      throw Fields.wrong("payload of " + contentType.name(), payload, wanted);
    }
    try {
      contentType.bytes(payload.string());
    } catch (IllegalArgumentException e) {
      throw Fields.wrong("payload of " + contentType.name(), payload, wanted);
    }
  }

  private static @Nullable Integer maxAttempts(Fields fields) {
    JsonText given = fields.get("maxAttempts");
    return given != null && given.text().equals("\"unlimited\"")
        ? (Integer) JobRequest.UNLIMITED
        : fields.whole("maxAttempts");
  }

  private static @Nullable String properties(@Nullable JsonText given) {
    if (given == null) {
      return null;
    }
    if (!given.isObject()) {
      throw Fields.wrong("properties", given, "an object whose values are strings");
    }
    Map<String, JsonText> members = given.members();
    members.forEach(JobRequests::checkProperty);
    JobProperties.checkSize(given.text());
    return members.isEmpty() ? null : given.text();
  }

  private static void checkProperty(String name, JsonText value) {
    if (!value.isString()) {
      throw Fields.wrong("property '" + RequestException.quote(name) + "'", value, "a string");
    }
    JobProperties.check(name, value.string());
  }

  private static int size(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
