package org.readpast.support;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.database.Transactions;

/** Wraps transactions so that another transaction commits between two of their statements. */
public final class RacingTransactions {
  private RacingTransactions() {}

  /**
   * Runs a step before the given statement.
   *
   * @param statement the number of the statement, from 1
   */
  public static Transactions before(int statement, Transactions real, Runnable step) {
    AtomicInteger statements = new AtomicInteger();
    return (Transactions)
        Proxy.newProxyInstance(
            Transactions.class.getClassLoader(),
            new Class<?>[] {Transactions.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("entityManager")
                  && statements.incrementAndGet() == statement) {
                step.run();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
