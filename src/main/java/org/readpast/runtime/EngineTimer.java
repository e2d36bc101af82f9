package org.readpast.runtime;

import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.EJB;
import jakarta.ejb.Schedule;
import jakarta.ejb.Singleton;
import jakarta.ejb.Timer;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Starts the engine and keeps house, on every node. The house's database work is retried, each try
 * in a new transaction.
 *
 * <p>The timers are declared, and not persistent: for a method with {@code @Timeout} Payara opens a
 * database of its own and deploys an application into it, and without them ours is not deployed.
 */
@Singleton
@TransactionManagement(TransactionManagementType.BEAN)
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
public class EngineTimer {
  @Inject RunningEngine engine;
  @EJB EngineBoot boot;

  private final AtomicBoolean busy = new AtomicBoolean();

  /**
   * Starts the engine by a timer: Liberty fires none before the whole application is up, and until
   * then a handler's EJB could not be called. Payara fires them earlier; who asked the boot then
   * would prepare it in the deployment's place, which would not hear of what is wrong.
   */
  @Schedule(hour = "*", minute = "*", second = "*", persistent = false)
  void start(Timer timer) {
    if (engine.get() != null && boot.start()) {
      timer.cancel();
    }
  }

  @Schedule(hour = "*", minute = "*", second = "*/4", persistent = false)
  void maintain() {
    if (busy.compareAndSet(false, true)) {
      try {
        engine.maintain();
      } finally {
        busy.set(false);
      }
    }
  }
}
