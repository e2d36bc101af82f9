package org.readpast.admin.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.EncryptionSql;
import org.readpast.admin.sql.EncryptionSql.Table;
import org.readpast.model.EncryptedException;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.store.Row;
import org.readpast.store.Sql;
import org.readpast.store.Transactions;

/**
 * Finds rows of one table that are encrypted with some keys and encrypts them anew, in the current
 * transaction.
 */
public final class EncryptedRows {
  private final Transactions transactions;
  private final Table table;
  private final String[] envelopes;

  private EncryptedRows(Transactions transactions, Table table, Collection<String> keys) {
    this.transactions = transactions;
    this.table = table;
    String prefix = table.json() ? Encryption.JSON_PREFIX : Encryption.TEXT_PREFIX;
    this.envelopes = keys.stream().map(key -> prefix + key + ":").toArray(String[]::new);
  }

  /** Returns those of each table with encrypted columns; keys: those to be replaced. */
  public static List<EncryptedRows> ofEachTable(
      Transactions transactions, Collection<String> keys) {
    return Stream.of(Table.values())
        .map(table -> new EncryptedRows(transactions, table, keys))
        .toList();
  }

  /** The ids of a table, from the lowest to the highest; null: it is empty. */
  public record Range(long lowest, long highest) {
    /** How many there are, those included that are not used. */
    public long ids() {
      return highest - lowest + 1;
    }
  }

  /** Returns the ids of a table. */
  public @Nullable Range range() {
    return Sql.first(
        transactions.entityManager(),
        EncryptionSql.range(table),
        row -> row.isNull(0) ? null : new Range(row.number(0), row.number(1)));
  }

  /** Returns the last id of so many rows above an id; null: there are none. */
  public @Nullable Long pageEnd(long above, int rows) {
    return Sql.first(
        transactions.entityManager(),
        EncryptionSql.pageEnd(table),
        row -> row.numberOrNull(0),
        above,
        rows);
  }

  /** A row that is encrypted with one of the keys. */
  public record Found(long id, long bytes) {}

  /** Returns those of the rows above an id and up to another. */
  public List<Found> find(long above, long upTo) {
    return Sql.rows(
        transactions.entityManager(),
        EncryptionSql.find(table),
        row -> new Found(row.number(0), row.number(1)),
        above,
        upTo,
        envelopes);
  }

  /**
   * What became of some rows.
   *
   * @param changed how many are encrypted with the current key now
   * @param refused why others cannot be decrypted
   */
  public record Done(int changed, List<String> refused) {}

  /** Encrypts rows with the current key; leaves out what another transaction has locked. */
  public Done encrypt(List<Long> ids) {
    List<Row> rows =
        Sql.rows(
            transactions.entityManager(),
            EncryptionSql.lock(table),
            Function.identity(),
            (Object) ids.toArray(Long[]::new));
    List<Long> changed = new ArrayList<>();
    List<@Nullable String[]> columns = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (Row row : rows) {
      try {
        columns.add(encrypted(row));
        changed.add(row.number(0));
      } catch (EncryptedException e) {
        refused.add(String.valueOf(e.getMessage()));
      }
    }
    if (!changed.isEmpty()) {
      Object[] parameters = new Object[table.columns().size() + 1];
      parameters[0] = changed.toArray(Long[]::new);
      for (int i = 1; i < parameters.length; i++) {
        int column = i - 1;
        parameters[i] = columns.stream().map(row -> row[column]).toArray(String[]::new);
      }
      Sql.change(transactions.entityManager(), EncryptionSql.replace(table), parameters);
    }
    return new Done(changed.size(), refused);
  }

  private @Nullable String[] encrypted(Row row) {
    long job = row.isNull(1) ? 0 : row.number(1);
    String type = row.text(2);
    List<String> names = table.columns();
    @Nullable String[] columns = new String[names.size()];
    for (int i = 0; i < columns.length; i++) {
      String stored = row.textOrNull(i + 3);
      columns[i] =
          Encryption.keyOfStored(stored) == null ? stored : anew(names.get(i), job, type, stored);
    }
    return columns;
  }

  private @Nullable String anew(String column, long job, String type, @Nullable String stored) {
    String given = Objects.requireNonNull(stored);
    return switch (column) {
      case "payload" -> json(EncryptionContext.payload(job, type), given);
      case "properties" -> json(EncryptionContext.properties(job, type), given);
      case "result" -> json(EncryptionContext.result(job, type), given);
      case "line" -> text(EncryptionContext.log(job), given);
      default -> text(EncryptionContext.failure(job), given);
    };
  }

  private String json(EncryptionContext place, String stored) {
    Encryption encryption = transactions.encryption();
    return encryption.sealJson(place, encryption.openJson(place, stored));
  }

  private @Nullable String text(EncryptionContext place, String stored) {
    Encryption encryption = transactions.encryption();
    return encryption.sealText(place, encryption.openText(place, stored));
  }
}
