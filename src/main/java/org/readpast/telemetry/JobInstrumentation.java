package org.readpast.telemetry;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Enqueued;
import org.readpast.engine.Enqueuer;
import org.readpast.engine.Instrumentation;
import org.readpast.model.NewJob;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;

/**
 * Reports jobs to logs and to a tracer. If one of them fails, it is no longer used, and the jobs
 * continue.
 */
final class JobInstrumentation implements Instrumentation {
  private static final Logger LOG = System.getLogger(JobInstrumentation.class.getName());

  private volatile @Nullable LogFields fields = LogFields.find();
  private volatile @Nullable Spans spans;

  /** Sets the tracer; null disables tracing. */
  void spans(@Nullable Spans traced) {
    spans = traced;
  }

  @Override
  public List<Enqueued> enqueue(List<NewJob> jobs, Enqueuer store) {
    Spans tracer = spans;
    return tracer == null ? store.enqueue(jobs) : tracer.enqueue(jobs, store);
  }

  @Override
  public Observation begin(ClaimedJob job, Map<String, String> properties) {
    Spans.Processing processing = null;
    Runnable unset = null;
    try {
      Spans tracer = spans;
      processing = tracer == null ? null : tracer.process(job, properties);
      LogFields log = fields;
      unset = log == null ? null : log.set(job, processing == null ? null : processing.trace());
    } catch (RuntimeException | LinkageError e) {
      giveUp(e);
    }
    Spans.Processing span = processing;
    Runnable last = unset;
    return outcome -> end(span, last, outcome);
  }

  private void end(Spans.@Nullable Processing span, @Nullable Runnable unset, Outcome outcome) {
    try {
      if (unset != null) {
        unset.run();
      }
      if (span != null) {
        span.end(outcome);
      }
    } catch (RuntimeException | LinkageError e) {
      giveUp(e);
    }
  }

  private void giveUp(Throwable why) {
    spans = null;
    fields = null;
    LOG.log(
        Level.WARNING,
        "READPAST-0073 spans or the job fields of log lines could not be written; this"
            + " application writes neither until it starts again. The jobs continue",
        why);
  }
}
