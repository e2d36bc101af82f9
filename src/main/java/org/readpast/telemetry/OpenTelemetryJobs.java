package org.readpast.telemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.DoubleHistogramBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Enqueued;
import org.readpast.engine.Enqueuer;
import org.readpast.engine.QueueFigures;
import org.readpast.model.Durations;
import org.readpast.model.Failure;
import org.readpast.model.NewJob;
import org.readpast.model.Outcome;
import org.readpast.model.StoredType;
import org.readpast.store.ClaimedJob;

/**
 * Records spans and durations of jobs in OpenTelemetry, by its conventions for messaging. Each
 * attempt has a separate trace, which links to the trace of the enqueue: the enqueue may be days
 * ago, and the job may be retried many times.
 */
final class OpenTelemetryJobs implements Spans {
  private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();
  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey(Measure.SYSTEM);
  private static final AttributeKey<String> QUEUE = AttributeKey.stringKey(Measure.QUEUE);
  private static final AttributeKey<String> OPERATION = AttributeKey.stringKey(Measure.OPERATION);
  private static final AttributeKey<String> OPERATION_TYPE =
      AttributeKey.stringKey("messaging.operation.type");
  private static final AttributeKey<String> MESSAGE =
      AttributeKey.stringKey("messaging.message.id");
  private static final AttributeKey<String> CONVERSATION =
      AttributeKey.stringKey("messaging.message.conversation_id");
  private static final AttributeKey<Long> NUMBER =
      AttributeKey.longKey("messaging.batch.message_count");
  private static final AttributeKey<String> TYPE = AttributeKey.stringKey("readpast.job.type");
  private static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("readpast.attempt");
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("readpast.outcome");
  private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
  private static final AttributeKey<String> APPLICATION =
      AttributeKey.stringKey(Measure.APPLICATION);
  private static final String ENQUEUE = "enqueue";
  private static final String PROCESS = "process";

  private static final TextMapGetter<Map<String, String>> READ =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Map<String, String> properties) {
          return properties.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> properties, String key) {
          return properties == null ? null : properties.get(key);
        }
      };

  private final Tracer tracer;
  private final String application;
  private final DoubleHistogram runs;
  private final DoubleHistogram waits;

  private OpenTelemetryJobs(OpenTelemetry telemetry, Tracer tracer, String application) {
    this.tracer = tracer;
    this.application = application;
    Meter meter = telemetry.getMeter("org.readpast");
    runs = histogram(meter, Measure.TIMES.get(0));
    waits = histogram(meter, Measure.TIMES.get(1));
  }

  /** Creates an instance; returns null if neither spans nor durations are recorded. */
  static @Nullable OpenTelemetryJobs of(OpenTelemetry telemetry, String application) {
    Tracer tracer = telemetry.getTracer("org.readpast");
    // A disabled tracer creates spans without an id; this span is never ended, so it is not
    // exported.
    boolean on = tracer.spanBuilder("probe").setNoParent().startSpan().getSpanContext().isValid();
    return on ? new OpenTelemetryJobs(telemetry, tracer, application) : null;
  }

  private static DoubleHistogram histogram(
      Meter meter, Measure<java.util.function.Function<QueueFigures, Durations>> measure) {
    DoubleHistogramBuilder builder =
        meter
            .histogramBuilder(measure.name())
            .setUnit(measure.unit())
            .setDescription(measure.description());
    try {
      return builder.setExplicitBucketBoundariesAdvice(Durations.BOUNDS).build();
    } catch (NoSuchMethodError e) {
      // Versions of the API before 1.32, such as the one in MicroProfile Telemetry 1.1, lack this
      // method.
      return builder.build();
    }
  }

  @Override
  public List<Enqueued> enqueue(List<NewJob> jobs, Enqueuer store) {
    NewJob first = jobs.get(0);
    String queue = first.queue();
    boolean one = jobs.stream().allMatch(job -> job.queue().equals(queue));
    SpanBuilder builder =
        tracer
            .spanBuilder(one ? ENQUEUE + ' ' + queue : ENQUEUE)
            .setSpanKind(SpanKind.PRODUCER)
            .setAttribute(SYSTEM, Measure.READPAST)
            .setAttribute(OPERATION, ENQUEUE)
            .setAttribute(OPERATION_TYPE, "send")
            .setAttribute(APPLICATION, application);
    if (one) {
      builder.setAttribute(QUEUE, queue);
    }
    if (jobs.size() > 1) {
      builder.setAttribute(NUMBER, (long) jobs.size());
    } else {
      builder.setAttribute(TYPE, StoredType.nameOf(first.type()));
      conversation(builder, first.correlationId());
    }
    Span span = builder.startSpan();
    try (Scope scope = span.makeCurrent()) {
      Map<String, String> headers = new LinkedHashMap<>();
      W3C.inject(Context.current(), headers, (all, name, value) -> headers.put(name, value));
      List<Enqueued> enqueued =
          store.enqueue(jobs.stream().map(job -> carrying(job, headers)).toList());
      if (enqueued.size() == 1) {
        span.setAttribute(MESSAGE, Long.toString(enqueued.get(0).id()));
      }
      return enqueued;
    } catch (RuntimeException e) {
      span.recordException(e);
      span.setAttribute(ERROR, e.getClass().getName());
      span.setStatus(StatusCode.ERROR);
      throw e;
    } finally {
      span.end();
    }
  }

  private static NewJob carrying(NewJob job, Map<String, String> headers) {
    String properties = TraceContext.added(job.properties(), headers);
    return properties == null ? job : job.withProperties(properties);
  }

  private static void conversation(SpanBuilder builder, @Nullable String correlationId) {
    if (correlationId != null) {
      builder.setAttribute(CONVERSATION, correlationId);
    }
  }

  @Override
  public Processing process(ClaimedJob job, Map<String, String> properties) {
    SpanBuilder builder =
        tracer
            .spanBuilder(PROCESS + ' ' + job.queue())
            .setNoParent()
            .setSpanKind(SpanKind.CONSUMER)
            .setAttribute(SYSTEM, Measure.READPAST)
            .setAttribute(OPERATION, PROCESS)
            .setAttribute(OPERATION_TYPE, PROCESS)
            .setAttribute(APPLICATION, application)
            .setAttribute(QUEUE, job.queue())
            .setAttribute(MESSAGE, Long.toString(job.id()))
            .setAttribute(TYPE, StoredType.nameOf(job.type()))
            .setAttribute(ATTEMPT, (long) job.attempt());
    conversation(builder, job.correlationId());
    SpanContext producer =
        Span.fromContext(W3C.extract(Context.root(), properties, READ)).getSpanContext();
    if (producer.isValid()) {
      builder.addLink(producer);
    }
    return new AtWork(job, builder.startSpan());
  }

  /**
   * Represents a running handler: spans that the handler creates on its thread become children of
   * the job's span.
   */
  private final class AtWork implements Processing {
    private final ClaimedJob job;
    private final Span span;
    private final Scope scope;
    private final long begun = System.nanoTime();

    // The method end() closes the scope, on the same thread.
    @SuppressWarnings("MustBeClosedChecker")
    AtWork(ClaimedJob job, Span span) {
      this.job = job;
      this.span = span;
      this.scope = Context.root().with(span).makeCurrent();
    }

    @Override
    public String trace() {
      return span.getSpanContext().getTraceId();
    }

    @Override
    public void end(Outcome outcome) {
      scope.close();
      span.setAttribute(OUTCOME, word(outcome));
      Failure failure = failure(outcome);
      var attributes =
          Attributes.builder()
              .put(SYSTEM, Measure.READPAST)
              .put(QUEUE, job.queue())
              .put(APPLICATION, application);
      waits.record(
          Math.max(0, Duration.between(job.availableAt(), job.startedAt()).toNanos() / 1e9),
          attributes.build());
      attributes.put(OPERATION, PROCESS);
      if (failure != null && failure.kind() != Failure.Kind.RETRY_LATER) {
        String type = failure.exception();
        String error = type == null ? failure.kind().name() : type;
        attributes.put(ERROR, error);
        span.setAttribute(ERROR, error);
        span.setStatus(StatusCode.ERROR, text(failure.message()));
        if (type != null) {
          span.addEvent(
              "exception",
              Attributes.of(
                  AttributeKey.stringKey("exception.type"), type,
                  AttributeKey.stringKey("exception.message"), text(failure.message()),
                  AttributeKey.stringKey("exception.stacktrace"), text(failure.trace())));
        }
      }
      runs.record((System.nanoTime() - begun) / 1e9, attributes.build());
      span.end();
    }

    private static String text(@Nullable String text) {
      return text == null ? "" : text;
    }
  }

  private static String word(Outcome outcome) {
    if (outcome instanceof Outcome.Completed) {
      return "completed";
    }
    if (outcome instanceof Outcome.Retry) {
      return "retried";
    }
    if (outcome instanceof Outcome.Discarded) {
      return "discarded";
    }
    if (outcome instanceof Outcome.Unreadable) {
      return "unreadable";
    }
    return outcome instanceof Outcome.Cancelled ? "cancelled" : "lost";
  }

  private static @Nullable Failure failure(Outcome outcome) {
    if (outcome instanceof Outcome.Retry retry) {
      return retry.failure();
    }
    if (outcome instanceof Outcome.Discarded discarded) {
      return discarded.failure();
    }
    if (outcome instanceof Outcome.Unreadable unreadable) {
      return unreadable.failure();
    }
    return outcome instanceof Outcome.Cancelled cancelled ? cancelled.failure() : null;
  }
}
