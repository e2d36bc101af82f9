package org.readpast.admin.store;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.readpast.admin.sql.EncryptionSql;
import org.readpast.store.Sql;
import org.readpast.store.Transactions;

/** The keys that have encrypted something, in the current transaction. */
public final class UsedKeys {
  private final Transactions transactions;

  public UsedKeys(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * A key.
   *
   * @param sample its id, encrypted with it
   */
  public record Used(String id, String sample, Instant firstUsedAt) {}

  /** Returns all of them, the oldest first. */
  public List<Used> all() {
    return Sql.rows(
        transactions.entityManager(),
        EncryptionSql.keys(),
        row -> new Used(row.text(0), row.text(1), row.moment(2)));
  }

  /** Records that a key encrypts, unless that is on record. */
  public void add(String id, String sample) {
    Sql.change(transactions.entityManager(), EncryptionSql.addKey(), id, sample);
  }

  /** Forgets keys with which nothing is encrypted any more. */
  public void forget(Collection<String> ids) {
    Sql.change(
        transactions.entityManager(),
        EncryptionSql.forgetKeys(),
        (Object) ids.toArray(String[]::new));
  }
}
