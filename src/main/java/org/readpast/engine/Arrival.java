package org.readpast.engine;

import java.util.HashMap;
import java.util.Map;
import org.readpast.model.NewJob;

/** Where jobs have become AVAILABLE: a lane of a queue. */
record Arrival(String queue, String type, int priority) {
  static Arrival of(NewJob job) {
    return new Arrival(job.queue(), job.type(), job.priority());
  }

  /** Jobs by their lanes. */
  static final class Count {
    private final Map<Arrival, Integer> jobs = new HashMap<>();

    void add(Arrival at) {
      jobs.merge(at, 1, Integer::sum);
    }

    void tell(WakeUps wakeUps) {
      jobs.forEach(wakeUps::jobsCame);
    }
  }
}
