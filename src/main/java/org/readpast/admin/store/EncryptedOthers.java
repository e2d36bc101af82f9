package org.readpast.admin.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.readpast.admin.sql.EncryptionSql;
import org.readpast.admin.store.EncryptedRows.Done;
import org.readpast.model.EncryptedException;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.store.Row;
import org.readpast.store.Sql;
import org.readpast.store.Transactions;

/**
 * Finds what is encrypted with some keys besides jobs, and encrypts it anew, in the current
 * transaction: payloads of schedules, and answers kept for idempotency keys.
 */
public final class EncryptedOthers {
  private final Transactions transactions;
  private final String[] envelopes;
  private final String[] texts;

  /** keys: those to be replaced. */
  public EncryptedOthers(Transactions transactions, Collection<String> keys) {
    this.transactions = transactions;
    this.envelopes =
        keys.stream().map(key -> Encryption.JSON_PREFIX + key + ":").toArray(String[]::new);
    this.texts =
        keys.stream().map(key -> Encryption.TEXT_PREFIX + key + ":").toArray(String[]::new);
  }

  /** Encrypts the payloads of schedules with the current key. */
  public Done encryptSchedules() {
    Encryption encryption = transactions.encryption();
    List<String> refused = new ArrayList<>();
    int changed = 0;
    for (Row row :
        Sql.rows(
            transactions.entityManager(),
            EncryptionSql.lockSchedules(),
            Function.identity(),
            (Object) envelopes)) {
      String name = row.text(0);
      EncryptionContext context = EncryptionContext.schedule(name);
      try {
        Sql.change(
            transactions.entityManager(),
            EncryptionSql.replaceSchedule(),
            name,
            encryption.sealJson(context, encryption.openJson(context, row.text(1))));
        changed++;
      } catch (EncryptedException e) {
        refused.add(String.valueOf(e.getMessage()));
      }
    }
    return new Done(changed, refused);
  }

  /**
   * Encrypts some of the answers that are kept for idempotency keys; one that cannot be decrypted
   * is removed, as its request can be repeated.
   *
   * @return how many: zero, there are no more
   */
  public int encryptAnswers(int most) {
    Encryption encryption = transactions.encryption();
    List<Row> rows =
        Sql.rows(
            transactions.entityManager(),
            EncryptionSql.lockAnswers(),
            Function.identity(),
            texts,
            most);
    for (Row row : rows) {
      String key = row.text(1);
      EncryptionContext context = EncryptionContext.answer(key);
      try {
        String answer = encryption.sealText(context, encryption.openText(context, row.text(2)));
        Sql.change(
            transactions.entityManager(), EncryptionSql.replaceAnswer(), row.text(0), key, answer);
      } catch (EncryptedException e) {
        Sql.change(transactions.entityManager(), EncryptionSql.forgetAnswer(), row.text(0), key);
      }
    }
    return rows.size();
  }

  /** Whether a rule that is being filled has found something that is encrypted with the keys. */
  public boolean foundByRules() {
    return Sql.first(
            transactions.entityManager(), EncryptionSql.found(), row -> true, (Object) envelopes)
        != null;
  }
}
