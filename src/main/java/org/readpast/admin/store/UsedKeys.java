package org.readpast.admin.store;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.EncryptionSql;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;

/** Stores which keys have been used for encryption, in the current transaction. */
public final class UsedKeys {
  private final Transactions transactions;

  public UsedKeys(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Describes an encryption key.
   *
   * @param sample the key's id, encrypted with the key
   * @param retiredAt when a rotation found nothing that the key encrypts; null: it may still
   *     encrypt something
   */
  public record Used(String id, String sample, Instant firstUsedAt, @Nullable Instant retiredAt) {}

  /** Returns all keys, the oldest first. */
  public List<Used> all() {
    return Sql.rows(
        transactions.entityManager(),
        EncryptionSql.keys(),
        row -> new Used(row.text(0), row.text(1), row.moment(2), row.momentOrNull(3)));
  }

  /** Records that a key is used for encryption. */
  public void add(String id, String sample) {
    Sql.change(transactions.entityManager(), EncryptionSql.addKey(), id, sample);
  }

  /** Records that a key is used for encryption, although another node may have retired it. */
  public void revive(String id) {
    Sql.change(transactions.entityManager(), EncryptionSql.reviveKey(), id);
  }

  /** Records that some keys no longer encrypt anything. */
  public void retire(Collection<String> ids) {
    Sql.change(
        transactions.entityManager(),
        EncryptionSql.retireKeys(),
        (Object) ids.toArray(String[]::new));
  }

  /**
   * Describes the open transactions at one point in time.
   *
   * @param next the id of the next transaction
   * @param oldest the id of the oldest open transaction
   */
  public record Open(long next, long oldest) {}

  /** Returns the current state of the transactions. */
  public Open openTransactions() {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            EncryptionSql.openTransactions(),
            row -> new Open(row.number(0), row.number(1))));
  }
}
