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
 * Describes a number that is reported for each queue or job type. If OpenTelemetry's conventions
 * for messaging define a name for the number, that name is used. If no convention defines a name,
 * the name is the one in REST, JMX and the console.
 *
 * @param operation the operation in the conventions, or null if the name is not from the
 *     conventions
 */
record Measure<T>(
    String name, @Nullable String operation, String unit, String description, T value) {
  /** Names an attribute. Where dots are not allowed in names, underscores replace them. */
  static final String SYSTEM = "messaging.system";

  static final String QUEUE = "messaging.destination.name";
  static final String OPERATION = "messaging.operation.name";
  static final String APPLICATION = "readpast.application";
  static final String STATE = "readpast.state";
  static final String READPAST = "readpast";

  static final String TYPE = "readpast.job.type";

  static final Measure<ToLongFunction<EngineStatus>> BUSY_WORKERS =
      counted("readpast.workers.busy", "workers that are running a job", EngineStatus::receivers);
  static final Measure<ToLongFunction<EngineStatus>> WORKERS_LIMIT =
      counted(
          "readpast.workers.limit",
          "the maximum number of workers of the engine",
          Measure::workers);

  static final String JOBS = "readpast.jobs";
  static final String OLDEST = "readpast.oldest.age";
  static final String JOBS_ARE = "jobs in the state, counted up to a limit";
  static final String OLDEST_IS =
      "how long the oldest job in the state has been due, waiting or running";

  /** Contains the counters of a queue since the engine started. */
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
              one -> one.counters().received()),
          counted("readpast.completed", "attempts that succeeded", o -> o.counters().completed()),
          counted("readpast.failed", "attempts that failed", one -> one.counters().failed()),
          counted(
              "readpast.retried",
              "failed attempts after which the job is retried",
              QueueFigures::retried),
          counted(
              "readpast.discarded",
              "jobs that ended as DISCARDED",
              one -> one.counters().discarded()),
          counted(
              "readpast.wake.ups",
              "wake-ups of receivers because jobs had arrived",
              o -> o.counters().wakeUps()),
          counted(
              "readpast.empty.receives",
              "receives that found no job",
              one -> one.counters().emptyReceives()),
          counted(
              "readpast.errors",
              "receives that failed with an error",
              one -> one.counters().errors()));

  /** Contains the numbers of a queue that can increase and decrease. */
  static final List<Measure<ToLongFunction<QueueFigures>>> LEVELS =
      List.of(
          counted(
              "readpast.receivers",
              "receivers that are running",
              one -> one.counters().receivers()),
          counted(
              "readpast.concurrency",
              "the maximum number of receivers on this node",
              QueueFigures::concurrency));

  /** Contains the durations of a queue's jobs. */
  static final List<Measure<Function<QueueFigures, Durations>>> TIMES =
      List.of(
          new Measure<>(
              "messaging.process.duration",
              "process",
              "s",
              "the time that handlers ran",
              QueueFigures::runs),
          new Measure<>(
              "readpast.wait.duration",
              null,
              "s",
              "the time from when jobs were due until they were claimed",
              QueueFigures::waits));

  /** Contains the counters of a job type since the engine started. */
  static final List<Measure<ToLongFunction<TypeFigures>>> COUNTED_BY_TYPE =
      List.of(
          counted("readpast.type.enqueued", "jobs enqueued", TypeFigures::enqueued),
          counted("readpast.type.completed", "attempts that succeeded", TypeFigures::completed),
          counted("readpast.type.failed", "attempts that failed", TypeFigures::failed),
          counted(
              "readpast.type.retried",
              "failed attempts after which the job is retried",
              TypeFigures::retried),
          counted(
              "readpast.type.discarded", "jobs that ended as DISCARDED", TypeFigures::discarded));

  /** Reports the limit of a job type on this node. */
  static final Measure<ToLongFunction<Integer>> CONCURRENCY_OF_TYPE =
      counted(
          "readpast.type.concurrency",
          "the maximum number of jobs of the type on this node",
          Integer::longValue);

  /** Contains the durations of a job type's jobs. */
  static final List<Measure<Function<TypeFigures, Durations>>> TIMES_BY_TYPE =
      List.of(
          new Measure<>(
              "readpast.type.run.duration",
              null,
              "s",
              "the time that handlers ran",
              TypeFigures::runs));

  /** Lists the states for which the number of jobs is reported. */
  static final List<JobState> STATES =
      List.of(
          JobState.AVAILABLE,
          JobState.SCHEDULED,
          JobState.BLOCKED,
          JobState.RUNNING,
          JobState.DISCARDED);

  /** Lists the states for which the age of the oldest job is reported. */
  static final List<JobState> LIVE = STATES.subList(0, 4);

  private static <F> Measure<ToLongFunction<F>> counted(
      String name, String description, ToLongFunction<F> value) {
    return new Measure<>(name, null, "{job}", description, value);
  }

  private static long workers(EngineStatus engine) {
    Settings settings = engine.settings();
    return settings == null ? 0 : settings.workers();
  }

  /** Returns the number of jobs, or NaN if it is not known. */
  static double jobs(@Nullable QueueView queue, JobState state) {
    return queue == null ? Double.NaN : queue.counts().getOrDefault(state, 0L);
  }

  /** Returns the age of the oldest job: 0 if there is none, NaN if the age is not known. */
  static double oldest(@Nullable QueueView queue, JobState state) {
    if (queue == null || queue.atLeast().contains(state) && state != JobState.AVAILABLE) {
      return Double.NaN;
    }
    return queue.oldestMillis().getOrDefault(state, 0L) / 1_000.0;
  }

  /** Returns the name in the form that Prometheus and MicroProfile Metrics require. */
  static String underscored(String name) {
    return name.replace('.', '_');
  }
}
