package org.readpast.dependency;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.readpast.model.NewJob;

/** Identifies a lane of a queue. */
public record QueueLane(String queue, String type, int priority) {
  /** Separates the parts of a notification; this character occurs in no name. */
  public static final char SEPARATOR = ':';

  private static final int SEVERAL = 2;

  public static QueueLane of(NewJob job) {
    return new QueueLane(job.queue(), job.type(), job.priority());
  }

  /** Encodes a notification to other nodes that one job has arrived. */
  public String encodeOne() {
    return encode() + SEPARATOR + 1;
  }

  /** Encodes the lane; sent to other nodes, the text announces that several jobs have arrived. */
  public String encode() {
    return queue + SEPARATOR + type + SEPARATOR + priority;
  }

  /** Parses a notification from another node. */
  public static void parse(String message, BiConsumer<QueueLane, Integer> jobsAvailable) {
    String[] parts = message.split(String.valueOf(SEPARATOR));
    if (parts.length != 3 && parts.length != 4) {
      throw new IllegalArgumentException(message);
    }
    jobsAvailable.accept(
        new QueueLane(parts[0], parts[1], Integer.parseInt(parts[2])),
        parts.length == 4 ? Integer.parseInt(parts[3]) : SEVERAL);
  }

  /** Counts the arrived jobs in each lane. */
  public static final class ArrivalCounts {
    private final Map<QueueLane, Integer> jobs = new HashMap<>();

    public void add(QueueLane at, int more) {
      jobs.merge(at, more, Integer::sum);
    }

    /**
     * The most urgent lanes are announced first, because a receiver may start with the first lane
     * that it learns of.
     */
    public void announce(BiConsumer<QueueLane, Integer> jobsAvailable) {
      if (jobs.size() == 1) {
        // Most transactions add jobs to one lane.
        jobs.forEach(jobsAvailable);
        return;
      }
      jobs.entrySet().stream()
          .sorted(Comparator.comparing(lane -> -lane.getKey().priority()))
          .forEach(lane -> jobsAvailable.accept(lane.getKey(), lane.getValue()));
    }
  }
}
