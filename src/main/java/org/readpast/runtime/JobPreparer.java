package org.readpast.runtime;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Background;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobRequest;
import org.readpast.api.JobType;
import org.readpast.api.ReadpastException;
import org.readpast.model.ContentType;
import org.readpast.model.Debounce;
import org.readpast.model.JobDependencies;
import org.readpast.model.JobProperties;
import org.readpast.model.Names;
import org.readpast.model.NewJob;
import org.readpast.model.StoredType;

/** Checks the jobs that an application enqueues, and writes their payloads as JSON. */
@ApplicationScoped
public class JobPreparer {
  @Inject Json json;
  @Inject Configuration configuration;
  @Inject Callers callers;
  private int maxSize;

  @PostConstruct
  void configure() {
    // The setting is cached, because reading it costs more than writing a small payload.
    maxSize = configuration.payloadMaxSize();
  }

  /**
   * Creates an instance outside a container.
   *
   * @param maxSize the maximum size of a payload, in bytes of its JSON
   */
  public static JobPreparer with(Json json, int maxSize) {
    JobPreparer preparer = new JobPreparer();
    preparer.json = json;
    preparer.callers = new Callers();
    preparer.maxSize = maxSize;
    return preparer;
  }

  /** Prepares a job from a payload or from a request. */
  public NewJob prepare(Object job) {
    return prepare(JobRequest.of(job));
  }

  /**
   * Prepares a job from a request; throws a {@link JobRejectedException} if the request breaks a
   * rule.
   */
  public NewJob prepare(JobRequest request) {
    Object payload = request.payload();
    String named = request.type();
    JobType type = type(payload.getClass());
    if (type == null && named == null) {
      throw new JobRejectedException(
          "payload "
              + payload.getClass().getTypeName()
              + " has no job type; "
              + (payload instanceof Iterable || payload instanceof Object[]
                  ? "enqueue several jobs with enqueueAll, which takes a list of payloads"
                  : "put @JobType(\"…\") on the class"));
    }
    String typeName = named != null ? named : type == null ? "" : type.value();
    Names.checkType(typeName);
    if (request.contentType() == null) {
      callers.learn(typeName, payload.getClass());
    }
    ContentType content = ContentType.of(request.contentType());
    String queue = request.queue();
    request.properties().forEach(JobProperties::check);
    String properties = json.writeProperties(request.properties());
    if (properties != null) {
      JobProperties.checkSize(properties);
    }
    NewJob job =
        new NewJob(
            queue != null ? queue : type == null ? "default" : type.queue(),
            type != null && typeName.equals(type.value())
                ? StoredType.stated(typeName, type.version())
                : typeName,
            request.priority(),
            request.delay(),
            request.at(),
            request.expiresIn(),
            request.expiresAt(),
            request.uniqueKey(),
            request.correlationId(),
            properties,
            request.maxAttempts(),
            new JobDependencies(
                request.group(),
                request.groupFailure(),
                request.batch(),
                request.wave(),
                request.ref(),
                request.after(),
                request.afterRefs(),
                request.predecessorFailure()),
            payload(payload, request, typeName),
            content == null ? null : content.name());
    return job.with(
        Debounce.of(request.replacesWaiting(), request.postponedBy(), request.latestStart()));
  }

  /** Prepares a job from a call of a {@link Background} method. */
  NewJob prepare(FoundHandler found, @Nullable Object[] arguments) {
    Background background = Objects.requireNonNull(found.background());
    String what = "the call of @Background method " + found.place();
    String payload =
        written(
            what, () -> Arguments.write(json, Objects.requireNonNull(found.method()), arguments));
    return BackgroundMethods.job(background, found.type(), payload);
  }

  /** Writes the result of a handler as JSON. */
  public String result(Object result) {
    return written(result, "the handler's result");
  }

  /**
   * Returns the job type of a class or of its nearest annotated superclass. A proxy class does not
   * have the annotation itself.
   */
  public static @Nullable JobType type(Class<?> payload) {
    for (Class<?> c = payload; c != null; c = c.getSuperclass()) {
      JobType type = c.getAnnotation(JobType.class);
      if (type != null) {
        return type;
      }
    }
    return null;
  }

  /**
   * Returns the names and versions that a handler of a type can read.
   *
   * @param holder the class with the {@link org.readpast.api.Upcasts} methods, or null if there is
   *     none
   * @throws ReadpastException if the type or one of the methods breaks a rule
   */
  public static List<StoredType> readable(JobType type, @Nullable Class<?> holder, String place) {
    List<String> errors = new ArrayList<>();
    TypeVersions versions = TypeVersions.of(type, holder, place, errors);
    if (!errors.isEmpty()) {
      throw new ReadpastException(String.join("; ", errors));
    }
    return versions.readable();
  }

  private String payload(Object payload, JobRequest request, String type) {
    String what = "payload of job type '" + type + "'";
    if (request.contentType() == null) {
      return written(payload, what);
    }
    ContentType content = ContentType.of(request.contentType());
    if (content != null) {
      String kept =
          payload instanceof byte[] bytes ? content.keep(bytes) : content.keep((String) payload);
      return checked(json.writeText(kept), what);
    }
    String text =
        payload instanceof byte[] bytes
            ? new String(bytes, StandardCharsets.UTF_8)
            : (String) payload;
    if (!json.isJson(text)) {
      throw new JobRejectedException(
          what + " is not JSON, but its content type is; correct one of the two");
    }
    return checked(text, what);
  }

  private String written(Object value, String what) {
    return written(what, () -> json.write(value));
  }

  private String written(String what, Supplier<String> writing) {
    try {
      return checked(writing.get(), what);
    } catch (JobRejectedException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new JobRejectedException(what + " cannot be written as JSON: " + e.getMessage(), e);
    }
  }

  private String checked(String written, String what) {
    int size = written.getBytes(StandardCharsets.UTF_8).length;
    if (size > maxSize) {
      throw new JobRejectedException(
          what
              + " has "
              + size
              + " bytes, but readpast.payload.max-size allows "
              + maxSize
              + "; store large data elsewhere and pass a reference");
    }
    if (!Names.storable(written)) {
      throw new JobRejectedException(
          what + " contains NUL or a lone surrogate, which cannot be stored; encode it");
    }
    return written;
  }
}
