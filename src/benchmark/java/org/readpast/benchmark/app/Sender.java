package org.readpast.benchmark.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;

/** Enqueues jobs as any application does. */
@ApplicationScoped
public class Sender {
  static final String TEXT = "x".repeat(80);

  @Inject JobQueue jobs;

  @Transactional
  public void send(String queue, Object work) {
    jobs.enqueue(JobRequest.of(work).queue(queue));
  }

  /** Enqueues a job without a transaction. */
  public void sendAlone(String queue, Object work) {
    jobs.enqueue(JobRequest.of(work).queue(queue));
  }

  @Transactional
  public void sendAll(String queue, int number) {
    jobs.enqueueAll(IntStream.range(0, number).mapToObj(i -> request(queue)).toList());
  }

  /** Enqueues a job of each of the types {@code bench.many-0}, {@code bench.many-1} and so on. */
  @Transactional
  public void sendOfEachType(String queue, int types) {
    jobs.enqueueAll(
        IntStream.range(0, types)
            .mapToObj(type -> JobRequest.of("bench.many-" + type, "text/plain", TEXT).queue(queue))
            .toList());
  }

  /** Enqueues jobs of several groups in turn, like the orders of a shop's customers. */
  @Transactional
  public void sendGrouped(String queue, int number, int groups) {
    jobs.enqueueAll(
        IntStream.range(0, number)
            .mapToObj(i -> request(queue).group("group-" + i % groups))
            .toList());
  }

  @Transactional
  public void sendInWaves(String batch, String queue, int number, int waves) {
    for (int wave = 0; wave < waves; wave++) {
      jobs.batch(batch)
          .wave(wave, Stream.generate(() -> request(queue)).limit(number / waves).toList());
    }
    jobs.batch(batch).seal();
  }

  private static JobRequest request(String queue) {
    return JobRequest.of(new Work.Leased(TEXT, 0)).queue(queue);
  }
}
