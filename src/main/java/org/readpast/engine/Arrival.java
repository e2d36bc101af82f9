package org.readpast.engine;

import java.util.HashMap;
import java.util.Map;
import org.readpast.model.NewJob;

/** Where jobs have become AVAILABLE: a lane of a queue. */
record Arrival(String queue, String type, int priority) {
  /** No name has it. */
  static final char SEPARATOR = ':';

  static Arrival of(NewJob job) {
    return new Arrival(job.queue(), job.type(), job.priority());
  }

  /** Of a {@link #word}. */
  static Arrival of(String word) {
    String[] parts = word.split(String.valueOf(SEPARATOR));
    if (parts.length != 3) {
      throw new IllegalArgumentException(word);
    }
    return new Arrival(parts[0], parts[1], Integer.parseInt(parts[2]));
  }

  /** Says it to other nodes. */
  String word() {
    return queue + SEPARATOR + type + SEPARATOR + priority;
  }

  /** Jobs by their lanes. */
  static final class Count {
    private final Map<Arrival, Integer> jobs = new HashMap<>();

    void add(Arrival at, int more) {
      jobs.merge(at, more, Integer::sum);
    }

    void tell(WakeUps wakeUps) {
      jobs.forEach(wakeUps::jobsCame);
    }
  }
}
