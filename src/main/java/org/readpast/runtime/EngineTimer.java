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

/**
 * Starts the engine and runs its maintenance on every node. The database work of the maintenance is
 * retried, each time in a new transaction.
 *
 * <p>The timers are declared with annotations and are not persistent. For an EJB with a method
 * annotated with {@code @Timeout}, Payara needs its own timer application and database, without
 * which it does not deploy the user's application.
 */
@Singleton
@TransactionManagement(TransactionManagementType.BEAN)
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
public class EngineTimer {
  @Inject RunningEngine engine;
  @EJB EngineBoot boot;

  /**
   * Starts the engine from a timer. Liberty fires no timer before the whole application has
   * started, and until then the EJB of a handler cannot be called. Payara fires timers earlier, so
   * this method calls {@link EngineBoot} only after the engine has been prepared: an earlier call
   * would prepare it instead of the deployment, and the deployment would not report the errors.
   */
  @Schedule(hour = "*", minute = "*", second = "*", persistent = false)
  void start(Timer timer) {
    if (engine.get() != null && boot.start()) {
      timer.cancel();
    }
  }

  @Schedule(
      hour = "*",
      minute = "*",
      second = "*/" + MaintenanceTrigger.SECONDS,
      persistent = false)
  void maintain() {
    engine.maintenanceTrigger().fire();
  }
}
