package org.readpast.telemetry;

import java.util.List;
import java.util.Map;
import org.readpast.api.Enqueued;
import org.readpast.engine.Enqueuer;
import org.readpast.model.NewJob;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;

/** Tells a tracer of jobs. */
interface Spans {
  List<Enqueued> enqueue(List<NewJob> jobs, Enqueuer store);

  Processing process(ClaimedJob job, Map<String, String> properties);

  /** A handler at work. */
  interface Processing {
    /** The id of its trace, in hex. */
    String trace();

    void end(Outcome outcome);
  }
}
