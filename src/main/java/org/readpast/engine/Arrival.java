package org.readpast.engine;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.readpast.model.NewJob;

/** Where jobs have become AVAILABLE: a lane of a queue. */
record Arrival(String queue, String type, int priority) {
  /** No name has it. */
  static final char SEPARATOR = ':';

  private static final int SEVERAL = 2;

  static Arrival of(NewJob job) {
    return new Arrival(job.queue(), job.type(), job.priority());
  }

  /** Says to other nodes that one job has come. */
  String ofOne() {
    return ofSeveral() + SEPARATOR + 1;
  }

  /** Says to other nodes that jobs have come, however many. */
  String ofSeveral() {
    return queue + SEPARATOR + type + SEPARATOR + priority;
  }

  /** Reads what another node has sent. */
  static void parse(String word, BiConsumer<Arrival, Integer> jobsCame) {
    String[] parts = word.split(String.valueOf(SEPARATOR));
    if (parts.length != 3 && parts.length != 4) {
      throw new IllegalArgumentException(word);
    }
    jobsCame.accept(
        new Arrival(parts[0], parts[1], Integer.parseInt(parts[2])),
        parts.length == 4 ? Integer.parseInt(parts[3]) : SEVERAL);
  }

  /** Jobs by their lanes. */
  static final class Count {
    private final Map<Arrival, Integer> jobs = new HashMap<>();

    void add(Arrival at, int more) {
      jobs.merge(at, more, Integer::sum);
    }

    /** Announces the most urgent lanes first: a receiver may start with the first that it knows. */
    void tell(BiConsumer<Arrival, Integer> jobsCame) {
      jobs.entrySet().stream()
          .sorted(Comparator.comparing(lane -> -lane.getKey().priority()))
          .forEach(lane -> jobsCame.accept(lane.getKey(), lane.getValue()));
    }
  }
}
