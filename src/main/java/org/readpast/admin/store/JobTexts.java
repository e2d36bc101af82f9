package org.readpast.admin.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.AdminSql;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.EncryptedException;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.store.Claims;
import org.readpast.store.JobEndListener;

/**
 * Re-encrypts payloads and properties for another job type, in the current transaction, because an
 * encrypted string is bound to the type of its job.
 */
final class JobTexts {
  private final Transactions transactions;
  private final JobEndListener listener;

  JobTexts(Transactions transactions, JobEndListener listener) {
    this.transactions = transactions;
    this.listener = listener;
  }

  /** Holds the decrypted payload and properties of a job. */
  record Clear(long job, String payload, @Nullable String properties) {}

  /**
   * Locks the jobs whose type is to change, except those that this application cannot decrypt.
   * Returns the encrypted payloads and properties of the given jobs in decrypted form.
   */
  Map<Long, Optional<Clear>> lock(Collection<Long> ids, String type, String[] states) {
    Map<Long, Optional<Clear>> texts = new TreeMap<>();
    List<Claims.ReopenedLane> left = new ArrayList<>();
    Sql.rows(
            transactions.entityManager(),
            AdminSql.lockOfOtherType(),
            Function.identity(),
            ids.toArray(Long[]::new),
            type,
            states,
            Encryption.JSON_PREFIX)
        .forEach(
            row -> {
              try {
                Clear clear = row.isNull(2) ? null : opened(row);
                texts.put(row.number(0), Optional.ofNullable(clear));
              } catch (EncryptedException e) {
                // A job that cannot be read remains in its lane, at its position.
                if (!row.isNull(6)) {
                  left.add(
                      new Claims.ReopenedLane(
                          row.text(4), row.text(1), row.integer(5), row.number(6)));
                }
              }
            });
    if (!left.isEmpty()) {
      transactions.afterCompletion(committed -> listener.restored(left));
    }
    return texts;
  }

  private Clear opened(Row row) {
    Encryption encryption = transactions.encryption();
    long id = row.number(0);
    String type = row.text(1);
    String properties = row.textOrNull(3);
    return new Clear(
        id,
        encryption.openJson(EncryptionContext.payload(id, type), row.text(2)),
        properties == null
            ? null
            : encryption.openJson(EncryptionContext.properties(id, type), properties));
  }

  /** Stores the payloads and properties of jobs, encrypted for this job type. */
  void store(String type, List<Clear> texts) {
    if (texts.isEmpty()) {
      return;
    }
    Encryption encryption = transactions.encryption();
    String key = encryption.currentKey();
    Sql.change(
        transactions.entityManager(),
        AdminSql.replaceTexts(),
        texts.stream().map(Clear::job).toArray(Long[]::new),
        texts.stream()
            .map(
                one ->
                    encryption.sealJson(
                        EncryptionContext.payload(one.job(), type), one.payload(), key))
            .toArray(String[]::new),
        texts.stream()
            .map(
                one ->
                    encryption.sealProperties(
                        EncryptionContext.properties(one.job(), type), one.properties(), key))
            .toArray(String[]::new));
  }
}
