package org.readpast.telemetry;

import java.util.List;
import java.util.Map;
import org.readpast.api.Enqueued;
import org.readpast.engine.Enqueuer;
import org.readpast.model.NewJob;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;

/** Reports jobs to a tracer. */
interface Spans {
  List<Enqueued> enqueue(List<NewJob> jobs, Enqueuer store);

  Processing process(ClaimedJob job, Map<String, String> properties);

  /** Represents a running handler. */
  interface Processing {
    /** Returns the id of the trace in hexadecimal digits. */
    String trace();

    void end(Outcome outcome);
  }
}
