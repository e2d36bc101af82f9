package org.readpast.telemetry;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.QueueView;
import org.readpast.api.JobState;
import org.readpast.engine.EngineStatus;
import org.readpast.engine.QueueFigures;
import org.readpast.engine.Settings;
import org.readpast.engine.TypeFigures;
import org.readpast.model.Durations;

/**
 * A number that is shown of each queue. Where OpenTelemetry's conventions for messaging have a name
 * it is that one; what else it is called is what REST, JMX and the console call it.
 *
 * @param operation of the conventions; null: the name is our own
 */
record Measure<T>(
    String name, @Nullable String operation, String unit, String description, T value) {
  /** Attributes, also with underscores for dots. */
  static final String SYSTEM = "messaging.system";

  static final String QUEUE = "messaging.destination.name";
  static final String OPERATION = "messaging.operation.name";
  static final String APPLICATION = "readpast.application";
  static final String STATE = "readpast.state";
  static final String READPAST = "readpast";

  static final String TYPE = "readpast.job.type";

  static final Measure<ToLongFunction<EngineStatus>> BUSY_WORKERS =
      counted("readpast.workers.busy", "workers that run a job", EngineStatus::receivers);
  static final Measure<ToLongFunction<EngineStatus>> WORKERS_LIMIT =
      counted("readpast.workers.limit", "workers of the engine", Measure::workers);

  static final String JOBS = "readpast.jobs";
  static final String OLDEST = "readpast.oldest.age";
  static final String JOBS_ARE = "jobs in a state, counted up to a limit";
  static final String OLDEST_IS =
      "for how long the oldest job of a state has been due, has waited or runs";

  /** What only grows, since the engine started. */
  static final List<Measure<ToLongFunction<QueueFigures>>> COUNTED =
      List.of(
          new Measure<>(
              "messaging.client.sent.messages",
              "enqueue",
              "{message}",
              "jobs enqueued",
              QueueFigures::enqueued),
          new Measure<>(
              "messaging.client.consumed.messages",
              "receive",
              "{message}",
              "jobs received for an attempt",
              one -> one.listening().received()),
          counted("readpast.completed", "attempts that ended well", o -> o.listening().completed()),
          counted("readpast.failed", "attempts that did not", one -> one.listening().failed()),
          counted("readpast.retried", "attempts that are tried again", QueueFigures::retried),
          counted(
              "readpast.discarded",
              "jobs that ended as DISCARDED",
              one -> one.listening().discarded()),
          counted(
              "readpast.wake.ups", "times it was to be looked at", o -> o.listening().wakeUps()),
          counted(
              "readpast.empty.receives",
              "looks that found nothing",
              one -> one.listening().emptyReceives()),
          counted("readpast.errors", "looks that failed", one -> one.listening().errors()));

  /** What comes and goes. */
  static final List<Measure<ToLongFunction<QueueFigures>>> LEVELS =
      List.of(
          counted("readpast.receivers", "receivers at work", one -> one.listening().receivers()),
          counted(
              "readpast.concurrency", "receivers there may be here", QueueFigures::concurrency));

  /** How long jobs took. */
  static final List<Measure<Function<QueueFigures, Durations>>> TIMES =
      List.of(
          new Measure<>(
              "messaging.process.duration",
              "process",
              "s",
              "how long handlers ran",
              QueueFigures::runs),
          new Measure<>(
              "readpast.wait.duration",
              null,
              "s",
              "from when jobs were due to when they were claimed",
              QueueFigures::waits));

  /** Counters of a job type since the engine started. */
  static final List<Measure<ToLongFunction<TypeFigures>>> COUNTED_BY_TYPE =
      List.of(
          counted("readpast.type.enqueued", "jobs enqueued", TypeFigures::enqueued),
          counted("readpast.type.completed", "attempts that succeeded", TypeFigures::completed),
          counted("readpast.type.failed", "attempts that failed", TypeFigures::failed),
          counted(
              "readpast.type.retried",
              "attempts after which the job is retried",
              TypeFigures::retried),
          counted(
              "readpast.type.discarded", "jobs that ended as DISCARDED", TypeFigures::discarded));

  /** The limit of a job type on this node. */
  static final Measure<ToLongFunction<Integer>> CONCURRENCY_OF_TYPE =
      counted(
          "readpast.type.concurrency", "jobs of the type there may be here", Integer::longValue);

  /** How long jobs of a type took. */
  static final List<Measure<Function<TypeFigures, Durations>>> TIMES_BY_TYPE =
      List.of(
          new Measure<>(
              "readpast.type.run.duration", null, "s", "how long handlers ran", TypeFigures::runs));

  /** States of which the number of jobs is shown. */
  static final List<JobState> STATES =
      List.of(
          JobState.AVAILABLE,
          JobState.SCHEDULED,
          JobState.BLOCKED,
          JobState.RUNNING,
          JobState.DISCARDED);

  /** States of which the age of the oldest job is shown. */
  static final List<JobState> LIVE = STATES.subList(0, 4);

  private static <F> Measure<ToLongFunction<F>> counted(
      String name, String description, ToLongFunction<F> value) {
    return new Measure<>(name, null, "{job}", description, value);
  }

  private static long workers(EngineStatus engine) {
    Settings settings = engine.settings();
    return settings == null ? 0 : settings.workers();
  }

  /** NaN: not known. */
  static double jobs(@Nullable QueueView queue, JobState state) {
    return queue == null ? Double.NaN : queue.counts().getOrDefault(state, 0L);
  }

  /** 0: there is none; NaN: not known. */
  static double oldest(@Nullable QueueView queue, JobState state) {
    if (queue == null || queue.atLeast().contains(state) && state != JobState.AVAILABLE) {
      return Double.NaN;
    }
    return queue.oldestMillis().getOrDefault(state, 0L) / 1_000.0;
  }

  /** As Prometheus and MicroProfile Metrics want it. */
  static String underscored(String name) {
    return name.replace('.', '_');
  }
}
