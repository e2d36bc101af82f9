package org.readpast.admin.store;

import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.AdminSql;
import org.readpast.model.EncryptionContext;
import org.readpast.model.QueueAccess;
import org.readpast.store.Row;
import org.readpast.store.Sql;
import org.readpast.store.Transactions;

/** Stores answers under idempotency keys, in the current transaction. */
public final class KeptAnswers {
  private final Transactions transactions;

  public KeptAnswers(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Holds an earlier request and its answer.
   *
   * @param fingerprint identifies the request, so that another request is recognized
   * @param access the roles that the caller had then; null: it was answered by a version that did
   *     not record them
   */
  public record Kept(String fingerprint, @Nullable String answer, @Nullable QueueAccess access) {}

  /**
   * Claims a key. Returns true if the key was free; waits for a concurrent request that holds it.
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

  /** Returns what is stored under the key; null: nothing. */
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

  /** Stores the answer under a key that was claimed before. */
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
