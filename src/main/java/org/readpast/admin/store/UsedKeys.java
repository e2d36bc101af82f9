package org.readpast.admin.store;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
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
   * @param retiredAt when a rotation found nothing that it encrypts; null: it may encrypt something
   */
  public record Used(String id, String sample, Instant firstUsedAt, @Nullable Instant retiredAt) {}

  /** Returns all of them, the oldest first. */
  public List<Used> all() {
    return Sql.rows(
        transactions.entityManager(),
        EncryptionSql.keys(),
        row -> new Used(row.text(0), row.text(1), row.moment(2), row.momentOrNull(3)));
  }

  /** Records that a key encrypts. */
  public void add(String id, String sample) {
    Sql.change(transactions.entityManager(), EncryptionSql.addKey(), id, sample);
  }

  /** Records that nothing is encrypted with keys any more. */
  public void retire(Collection<String> ids) {
    Sql.change(
        transactions.entityManager(),
        EncryptionSql.retireKeys(),
        (Object) ids.toArray(String[]::new));
  }

  /**
   * The transactions of this moment.
   *
   * @param next the first that has not begun
   * @param oldest the oldest that is still open
   */
  public record Open(long next, long oldest) {}

  /** Returns the transactions of this moment. */
  public Open openTransactions() {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            EncryptionSql.openTransactions(),
            row -> new Open(row.number(0), row.number(1))));
  }
}
