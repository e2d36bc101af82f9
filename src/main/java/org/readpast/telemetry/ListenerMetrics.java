package org.readpast.telemetry;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.Timeout;
import jakarta.ejb.TimerConfig;
import jakarta.ejb.TimerService;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.readpast.engine.EngineStatus;
import org.readpast.store.Listening;

/**
 * The listener's counters at {@code /metrics}, one of each for every queue in which something has
 * happened. Registered by a timer, because queues come to be at any time.
 */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
public class ListenerMetrics {
  private static final long MILLIS = 2_000;

  @Inject EngineStatus engine;
  // Looked up by the timer: one injected into a bean of the start is not shown by Payara.
  @Inject Instance<MetricRegistry> registries;
  @Resource TimerService timers;

  private final Set<String> known = ConcurrentHashMap.newKeySet();

  @PostConstruct
  void start() {
    timers.createIntervalTimer(MILLIS, MILLIS, new TimerConfig(null, false));
  }

  @Timeout
  void registerNewQueues() {
    for (Listening listening : engine.listening()) {
      if (known.add(listening.queue())) {
        register(listening.queue());
      }
    }
  }

  private void register(String queue) {
    gauge(queue, "receivers", "receivers at work", Listening::receivers);
    gauge(queue, "received", "jobs received for an attempt", Listening::received);
    gauge(queue, "completed", "attempts that ended well", Listening::completed);
    gauge(queue, "failed", "attempts that did not end well", Listening::failed);
    gauge(queue, "dead", "jobs that ended as DISCARDED", Listening::dead);
    gauge(queue, "wake_ups", "times that a queue was to be looked at", Listening::wakeUps);
    gauge(queue, "empty_receives", "looks that found nothing", Listening::emptyReceives);
    gauge(queue, "errors", "looks that failed", Listening::errors);
  }

  private void gauge(String queue, String name, String what, ToLongFunction<Listening> value) {
    registries
        .get()
        .gauge(
            Metadata.builder()
                .withName("readpast_" + name)
                .withDescription(what + ", on this node since its start")
                .build(),
            () ->
                engine.listening().stream()
                    .filter(listening -> listening.queue().equals(queue))
                    .mapToLong(value)
                    .sum(),
            new Tag("queue", queue));
  }
}
