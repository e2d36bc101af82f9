package org.readpast.admin.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.EncryptionSql;
import org.readpast.admin.store.EncryptedRows.Done;
import org.readpast.admin.store.EncryptedRows.Wanted;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.EncryptedException;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;

/**
 * Re-encrypts with the wanted key the data that does not belong to jobs: payloads of schedules, and
 * responses stored for idempotency keys.
 */
public final class EncryptedOthers {
  private final Transactions transactions;
  private final Wanted wanted;

  public EncryptedOthers(Transactions transactions, Wanted wanted) {
    this.transactions = transactions;
    this.wanted = wanted;
  }

  /** Re-encrypts the payloads of schedules. */
  public Done encryptSchedules() {
    Encryption encryption = transactions.encryption();
    List<String> refused = new ArrayList<>();
    int changed = 0;
    for (Row row :
        Sql.rows(
            transactions.entityManager(),
            EncryptionSql.lockSchedules(),
            Function.identity(),
            wanted.any(true),
            wanted.staying(true))) {
      String name = row.text(0);
      EncryptionContext context = EncryptionContext.schedule(name);
      try {
        Sql.change(
            transactions.entityManager(),
            EncryptionSql.replaceSchedule(),
            name,
            encryption.sealJson(context, encryption.openJson(context, row.text(1)), wanted.key()));
        changed++;
      } catch (EncryptedException e) {
        refused.add(String.valueOf(e.getMessage()));
      }
    }
    return new Done(changed, refused);
  }

  /** Identifies a position in the order of all stored responses. */
  public record Place(String principal, String key) {
    /** Identifies the position before all stored responses. */
    public static final Place FIRST = new Place("", "");
  }

  /**
   * Re-encrypts some of the responses that are stored for idempotency keys.
   *
   * @param refused receives the reasons why some responses cannot be decrypted
   * @return the position at which to continue, or null if there are no more responses
   */
  public @Nullable Place encryptAnswers(Place after, int most, List<String> refused) {
    Encryption encryption = transactions.encryption();
    List<Row> rows =
        Sql.rows(
            transactions.entityManager(),
            EncryptionSql.lockAnswers(),
            Function.identity(),
            wanted.any(false),
            wanted.staying(false),
            after.principal(),
            after.key(),
            most);
    Place last = null;
    for (Row row : rows) {
      last = new Place(row.text(0), row.text(1));
      EncryptionContext context = EncryptionContext.answer(last.principal(), last.key());
      try {
        Sql.change(
            transactions.entityManager(),
            EncryptionSql.replaceAnswer(),
            last.principal(),
            last.key(),
            encryption.sealText(context, encryption.openText(context, row.text(2)), wanted.key()));
      } catch (EncryptedException e) {
        refused.add(String.valueOf(e.getMessage()));
      }
    }
    return last;
  }

  /**
   * Returns true if an unfinished run of a rule has found objects that are encrypted with another
   * key.
   */
  public boolean foundByRules() {
    return Sql.first(
            transactions.entityManager(),
            EncryptionSql.found(),
            row -> true,
            wanted.any(true),
            wanted.staying(true))
        != null;
  }
}
