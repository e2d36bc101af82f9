package org.readpast.upgrade;

import jakarta.persistence.Query;
import java.util.function.Function;
import org.readpast.support.TestNode;

/** Writes to the ledger in the transactions of a node without a container. */
record NodeLedger(TestNode of, String node) implements LedgerWriter {
  @Override
  public void execute(String sql, Object... parameters) {
    String numbered = sql;
    for (int i = 1; i <= parameters.length; i++) {
      numbered = numbered.replaceFirst("\\?(?![0-9])", "?" + i);
    }
    ask(
        numbered,
        query -> {
          for (int i = 0; i < parameters.length; i++) {
            query.setParameter(i + 1, parameters[i]);
          }
          return query.executeUpdate();
        });
  }

  @Override
  public long number(String sql) {
    return ask(sql, query -> ((Number) query.getSingleResult()).longValue());
  }

  private <T> T ask(String sql, Function<Query, T> asking) {
    return of.transactions()
        .required(() -> asking.apply(of.transactions().entityManager().createNativeQuery(sql)));
  }
}
