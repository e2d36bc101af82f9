package org.readpast.benchmark.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.stream.IntStream;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;

/** Enqueues as any application does. */
@ApplicationScoped
public class Sender {
  static final String TEXT = "x".repeat(80);

  @Inject JobQueue jobs;

  @Transactional
  public void send(String queue, long sentAt) {
    jobs.enqueue(JobRequest.of(new Work.Leased(TEXT, sentAt)).queue(queue));
  }

  @Transactional
  public void sendAll(String queue, int number) {
    jobs.enqueueAll(
        IntStream.range(0, number)
            .mapToObj(i -> JobRequest.of(new Work.Leased(TEXT, 0)).queue(queue))
            .toList());
  }
}
