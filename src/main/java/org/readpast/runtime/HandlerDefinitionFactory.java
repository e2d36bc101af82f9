package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.OnLostLease;
import org.readpast.api.ReadpastException;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.engine.HandlerDefinition;
import org.readpast.engine.LeasedModePredicate;
import org.readpast.engine.UnreadablePayloadException;
import org.readpast.model.AnnotatedDuration;
import org.readpast.model.ContentType;
import org.readpast.model.HandlerMethod;
import org.readpast.model.RetryPolicy;
import org.readpast.model.StoredType;

/** Creates the handlers of the engine from the handlers that CDI has found. */
@ApplicationScoped
public class HandlerDefinitionFactory {
  @Inject HandlerExtension extension;
  @Inject BeanManager beans;
  @Inject Instance<RequestContextController> requestScopes;
  @Inject Json json;
  @Inject BackgroundCalls calls;
  @Inject Configuration configuration;
  private final Queue<RequestContextController> restingScopes = new ConcurrentLinkedQueue<>();

  /** Returns the aliases of job types, each with the name that the configuration uses. */
  Map<String, String> aliases() {
    Map<String, String> aliases = new HashMap<>();
    for (FoundHandler found : extension.handlers()) {
      found.versions().aliases().forEach(alias -> aliases.put(alias, found.type()));
    }
    return aliases;
  }

  /** Returns all handlers; the configuration overrides the annotations. */
  List<HandlerDefinition> handlers(ConfigurationErrors errors) {
    List<HandlerDefinition> all = new ArrayList<>();
    for (FoundHandler found : extension.handlers()) {
      all.addAll(inAllVersions(found, handler(found, errors)));
    }
    for (EjbHandler ejb : configuration.ejbHandlers(errors)) {
      String type = ejb.type();
      if (all.stream().anyMatch(other -> StoredType.nameOf(other.type()).equals(type))) {
        errors.add(
            "job type '"
                + type
                + "' has a handler in this application, but readpast.type.\""
                + type
                + "\".ejb names another one; keep one of the two");
      }
      all.add(
          handler(
              new StoredType(type, 1),
              null,
              RetryPolicy.DEFAULT,
              null,
              null,
              Set.of(),
              (payload, context) -> ejb.work(payload, context, json),
              payload -> false,
              errors));
    }
    return all;
  }

  /** Returns one handler for each name and version, because each of them has its own lane. */
  private List<HandlerDefinition> inAllVersions(FoundHandler found, HandlerDefinition own) {
    TypeVersions versions = found.versions();
    List<HandlerDefinition> all = new ArrayList<>(List.of(own));
    for (StoredType type : versions.readable()) {
      if (type.version() == versions.version() && !type.name().equals(versions.name())) {
        all.add(own.forType(type.stored(), own.work(), own.leasedModePredicate()));
      } else if (type.version() < versions.version()) {
        Predicate<String> predicate = own.leasedModePredicate();
        all.add(
            own.forType(
                type.stored(),
                (payload, context) ->
                    own.work()
                        .work(
                            upcast(found, type.version(), context.contentType(), payload), context),
                predicate == null
                    ? null
                    : payload -> predicate.test(upcastOrNot(found, type, payload))));
      }
    }
    return all;
  }

  private String upcast(FoundHandler found, int from, String contentType, String payload) {
    return fitting(
        found,
        "version " + found.versions().version(),
        () -> {
          if (ContentType.of(contentType) != null) {
            throw new IllegalArgumentException(
                "its content type is " + contentType + ", but only JSON can be upcast");
          }
          return found.versions().upcast(json, from, payload);
        });
  }

  /**
   * Upcasts a payload, or returns it unchanged if it cannot be read, so that the attempt fails on
   * it.
   */
  private String upcastOrNot(FoundHandler found, StoredType type, String payload) {
    try {
      return found.versions().upcast(json, type.version(), payload);
    } catch (RuntimeException e) {
      return payload;
    }
  }

  private HandlerDefinition handler(FoundHandler found, ConfigurationErrors errors) {
    RetryPolicy annotated = RetryPolicy.DEFAULT;
    Duration timeout = null;
    try {
      annotated = RetryPolicy.of(found.retries());
      Receive receive = found.receive();
      timeout =
          receive == null || receive.timeout().isEmpty()
              ? null
              : AnnotatedDuration.parse("@Receive(timeout", receive.timeout());
    } catch (IllegalArgumentException e) {
      errors.add("handler " + found.place() + ": " + e.getMessage());
    }
    return handler(
        new StoredType(found.type(), found.versions().version()),
        found.shape(),
        annotated,
        found.receive(),
        timeout,
        found.roles(),
        work(found),
        found.hasLeasedModePredicate() ? leasedModePredicate(found) : null,
        errors);
  }

  private HandlerDefinition handler(
      StoredType versioned,
      @Nullable String shape,
      RetryPolicy retries,
      @Nullable Receive receive,
      @Nullable Duration timeout,
      Set<String> roles,
      HandlerDefinition.Work work,
      @Nullable Predicate<String> leasedModePredicate,
      ConfigurationErrors errors) {
    String type = versioned.name();
    Configuration.TypeSettings configured = configuration.type(type, retries, errors);
    ReceiveMode annotatedMode = receive == null ? ReceiveMode.TRANSACTIONAL : receive.value();
    ReceiveMode mode = configured.mode() == null ? annotatedMode : configured.mode();
    Duration allowed = configured.timeout() == null ? timeout : configured.timeout();
    if (allowed == null) {
      allowed = mode == ReceiveMode.LEASED ? Duration.ofMinutes(10) : Duration.ofSeconds(60);
    }
    errors.check(
        allowed.compareTo(Duration.ofMillis(100)) >= 0,
        "timeout of job type " + type,
        allowed,
        "specify PT0.1S or more");
    int annotatedTogether = receive == null ? 1 : receive.jobsPerTransaction();
    int together =
        configured.jobsPerTransaction() == null
            ? annotatedTogether
            : configured.jobsPerTransaction();
    errors.check(
        together >= 1 && together <= 100,
        "jobs per transaction of job type " + type,
        together,
        "specify 1 to 100");
    return new HandlerDefinition(
        versioned.stored(),
        shape,
        mode,
        allowed,
        together,
        configured.retries(),
        roles,
        receive == null ? OnLostLease.CONTINUE : receive.onLostLease(),
        work,
        leasedModePredicate);
  }

  private HandlerDefinition.Work work(FoundHandler found) {
    Method method = found.method();
    if (method == null) {
      HandlerBean<JobHandler<Object>> bean = HandlerBean.of(beans, found.bean(), JobHandler.class);
      return (payload, context) -> {
        Object job = Objects.requireNonNull(read(found, payload, context));
        return inRequestScope(() -> bean.use(handler -> handler.handle(job, context)));
      };
    }
    HandlerBean<Object> bean = HandlerBean.of(beans, found.bean(), method.getDeclaringClass());
    if (found.background() != null) {
      return (payload, context) -> {
        Object[] arguments =
            fitting(
                found,
                "the method " + found.place(),
                () -> Arguments.read(json, method, payload, context));
        return inRequestScope(
            () ->
                bean.use(
                    target ->
                        calls.work(found, () -> HandlerMethod.invoke(method, target, arguments))));
      };
    }
    return (payload, context) -> {
      Object job = read(found, payload, context);
      return inRequestScope(
          () -> bean.use(target -> HandlerMethod.invoke(method, target, job, context)));
    };
  }

  private JobResult inRequestScope(Callable<JobResult> work) throws Exception {
    // Each job has its own controller, because a controller remembers whether it activated the
    // scope. Controllers are reused, because creating one costs more than the rest of a small job.
    RequestContextController requestScope = restingScopes.poll();
    if (requestScope == null) {
      requestScope = requestScopes.get();
    }
    boolean activated = requestScope.activate();
    try {
      return work.call();
    } catch (Exception e) {
      SeveralDataSources.explain(e, configuration.dataSource());
      throw e;
    } finally {
      if (activated) {
        requestScope.deactivate();
      }
      restingScopes.add(requestScope);
    }
  }

  /**
   * Returns the predicate that selects the receive mode of a job. A job whose payload the predicate
   * cannot read is not run as LEASED: the attempt fails on it, and the failure is recorded.
   */
  private Predicate<String> leasedModePredicate(FoundHandler found) {
    HandlerBean<LeasedModePredicate<Object>> bean =
        HandlerBean.of(beans, found.bean(), LeasedModePredicate.class);
    return payload -> {
      try {
        Class<?> type = found.payload();
        return type != null
            && bean.use(predicate -> predicate.leased(read(found, type, null, payload)));
      } catch (ReadpastException e) {
        return false;
      }
    };
  }

  private @Nullable Object read(FoundHandler found, String payload, JobContext context) {
    return found.payload() == null
        ? null
        : read(found, found.payload(), context.contentType(), payload);
  }

  private Object read(
      FoundHandler found, Class<?> type, @Nullable String contentType, String payload) {
    return fitting(found, type.getName(), () -> json.readPayload(contentType, payload, type));
  }

  private <T> T fitting(FoundHandler found, String what, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (RuntimeException e) {
      String unfit =
          "the payload does not fit "
              + what
              + ", which the handler of job type '"
              + found.type()
              + "' takes: ";
      if (configuration.masked().none()) {
        throw new UnreadablePayloadException(unfit + e.getMessage(), e);
      }
      // The message is left out, because it quotes the payload and is shown to everyone who sees
      // failures.
      throw new UnreadablePayloadException(
          unfit
              + e.getClass().getName()
              + "; the details are left out, because readpast.payload.masked hides fields",
          null);
    }
  }
}
