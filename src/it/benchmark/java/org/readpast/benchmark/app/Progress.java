package org.readpast.benchmark.app;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** How many jobs were handled since the last {@link #reset}, and when. */
@ApplicationScoped
public class Progress {
  private final LongAdder done = new LongAdder();
  private final LongAccumulator first = new LongAccumulator(Math::min, Long.MAX_VALUE);
  private final LongAccumulator last = new LongAccumulator(Math::max, Long.MIN_VALUE);
  private final ConcurrentLinkedQueue<Long> latencies = new ConcurrentLinkedQueue<>();

  /** sentAt: nanoseconds since the epoch at the enqueue; zero: not measured. */
  void done(long sentAt) {
    long now = now();
    done.increment();
    first.accumulate(now);
    last.accumulate(now);
    if (sentAt > 0) {
      latencies.add(now - sentAt);
    }
  }

  void reset() {
    done.reset();
    first.reset();
    last.reset();
    latencies.clear();
  }

  /** Jobs, and nanoseconds since the epoch of the first and the last; then the latencies. */
  String report() {
    StringBuilder text = new StringBuilder();
    text.append(done.sum()).append(' ').append(first.get()).append(' ').append(last.get());
    latencies.forEach(nanos -> text.append(' ').append(nanos));
    return text.toString();
  }

  static long now() {
    var now = java.time.Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }
}
