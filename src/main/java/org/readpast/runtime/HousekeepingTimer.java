package org.readpast.runtime;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.DependsOn;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.Timeout;
import jakarta.ejb.TimerConfig;
import jakarta.ejb.TimerService;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps house every few seconds, on every node. Its database work is retried, each try in a new
 * transaction.
 */
@Singleton
@Startup
@DependsOn("EngineBoot")
@TransactionManagement(TransactionManagementType.BEAN)
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
public class HousekeepingTimer {
  private static final long MILLIS = 4_000;

  @Inject RunningEngine engine;
  @Resource TimerService timers;

  private final AtomicBoolean busy = new AtomicBoolean();

  @PostConstruct
  void start() {
    timers.createIntervalTimer(MILLIS, MILLIS, new TimerConfig(null, false));
  }

  @Timeout
  void keepHouse() {
    if (busy.compareAndSet(false, true)) {
      try {
        engine.keepHouse();
      } finally {
        busy.set(false);
      }
    }
  }
}
