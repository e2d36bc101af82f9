package org.readpast.admin.store;

import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.AdminSql;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.EncryptionContext;
import org.readpast.model.QueueAccess;

/** Stores responses under idempotency keys, in the current transaction. */
public final class KeptAnswers {
  private final Transactions transactions;

  public KeptAnswers(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Holds an earlier request and the response to it.
   *
   * @param fingerprint identifies the content of the request
   * @param access the roles that the caller had then, or null if an older version stored the
   *     response without them
   */
  public record Kept(String fingerprint, @Nullable String answer, @Nullable QueueAccess access) {}

  /**
   * Claims an idempotency key. Returns true if the key was free; waits if a concurrent request has
   * claimed it.
   */
  public boolean claim(String principal, String key, String fingerprint) {
    return Sql.first(
            transactions.entityManager(),
            AdminSql.claimKey(),
            row -> true,
            principal,
            key,
            fingerprint)
        != null;
  }

  /**
   * Returns the request and the response that are stored under the key, or null if there are none.
   */
  public @Nullable Kept find(String principal, String key) {
    return Sql.first(
        transactions.entityManager(),
        AdminSql.keptAnswer(),
        row -> kept(principal, key, row),
        principal,
        key);
  }

  private Kept kept(String principal, String key, Row row) {
    String answer = row.textOrNull(1);
    return new Kept(
        row.text(0),
        answer == null
            ? null
            : transactions.encryption().openText(EncryptionContext.answer(principal, key), answer),
        row.isNull(2) ? null : QueueAccess.parse(row.text(2)));
  }

  /** Stores the response under a key that was claimed before. */
  public void keep(String principal, String key, String answer, QueueAccess access) {
    Sql.change(
        transactions.entityManager(),
        AdminSql.keepAnswer(),
        principal,
        key,
        transactions.encryption().sealText(EncryptionContext.answer(principal, key), answer),
        access.text());
  }
}
