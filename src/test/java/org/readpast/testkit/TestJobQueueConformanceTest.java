package org.readpast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.readpast.api.JobQueue;
import org.readpast.api.JobState;

/** Runs the conformance tests with the test kit's own engine. */
class TestJobQueueConformanceTest extends QueueConformance {
  @Override
  QueueUnderTest make() {
    TestJobQueue queue = new TestJobQueue().allowFailures();
    return new QueueUnderTest() {
      @Override
      public void handler(Registered handler) {
        queue.work.add(handler);
      }

      @Override
      public void start() {}

      @Override
      public JobQueue jobs() {
        return queue;
      }

      @Override
      public <T> T transaction(Callable<T> doing) throws Exception {
        return queue.transaction(doing);
      }

      @Override
      public JobState state(long id) {
        return queue.job(id).state();
      }

      @Override
      public int attempt(long id) {
        return queue.job(id).attempt();
      }

      @Override
      public void await(long id, JobState state) {
        queue.drain();
        for (int i = 0; i < 100 && state(id) != state; i++) {
          queue.advance(Duration.ofMillis(100));
        }
        assertThat(state(id)).isEqualTo(state);
      }

      @Override
      public void close() {}
    };
  }
}
