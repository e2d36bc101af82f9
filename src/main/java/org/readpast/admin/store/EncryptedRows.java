package org.readpast.admin.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.EncryptionSql;
import org.readpast.admin.sql.EncryptionSql.Table;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.EncryptedException;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.store.Claims;

/**
 * Finds rows of one table that are encrypted with a key other than the wanted one, and re-encrypts
 * them in the current transaction.
 */
public final class EncryptedRows {
  private final Transactions transactions;
  private final Table table;
  private final Wanted wanted;

  private EncryptedRows(Transactions transactions, Table table, Wanted wanted) {
    this.transactions = transactions;
    this.table = table;
    this.wanted = wanted;
  }

  /**
   * Holds the key with which everything is to be encrypted.
   *
   * @param key the key to encrypt with
   * @param others the keys that this application does not have; data that they encrypt is left
   *     unchanged
   */
  public record Wanted(String key, Collection<String> others) {
    String any(boolean json) {
      return json ? Encryption.JSON_PREFIX : Encryption.TEXT_PREFIX;
    }

    String[] staying(boolean json) {
      return Stream.concat(Stream.of(key), others.stream())
          .map(one -> any(json) + one + ":")
          .toArray(String[]::new);
    }
  }

  /** Returns an instance for each table with encrypted columns. */
  public static List<EncryptedRows> ofEachTable(Transactions transactions, Wanted wanted) {
    return Stream.of(Table.values())
        .map(table -> new EncryptedRows(transactions, table, wanted))
        .toList();
  }

  /** Holds the lowest and the highest id of a table. */
  public record Range(long lowest, long highest) {
    /** Returns the number of ids in the range, including unused ones. */
    public long ids() {
      return highest - lowest + 1;
    }
  }

  /** Returns the range of ids in the table, or null if the table is empty. */
  public @Nullable Range range() {
    return Sql.first(
        transactions.entityManager(),
        EncryptionSql.range(table),
        row -> row.isNull(0) ? null : new Range(row.number(0), row.number(1)));
  }

  /** Returns the last id among a number of rows after an id, or null if there are no rows. */
  public @Nullable Long pageEnd(long above, int rows) {
    return Sql.first(
        transactions.entityManager(),
        EncryptionSql.pageEnd(table),
        row -> row.numberOrNull(0),
        above,
        rows);
  }

  /** Returns the rows to re-encrypt in a range of ids. */
  public List<RowSize> find(long above, long upTo) {
    return Sql.rows(
        transactions.entityManager(),
        EncryptionSql.find(table),
        row -> new RowSize(row.number(0), row.number(1)),
        above,
        upTo,
        wanted.any(table.json()),
        wanted.staying(table.json()));
  }

  /**
   * Reports the result of re-encrypting a number of rows.
   *
   * @param changed the number of rows that are now encrypted with the wanted key
   * @param refused the reasons why other rows cannot be decrypted
   */
  public record Done(int changed, List<String> refused) {}

  /**
   * Re-encrypts rows, except those that another transaction has locked.
   *
   * @param locked receives the lanes in which claims may have skipped a job that this transaction
   *     had locked, each with the position of the first such job
   */
  public Done encrypt(List<Long> ids, Collection<Claims.ReopenedLane> locked) {
    List<Row> rows =
        Sql.rows(
            transactions.entityManager(),
            EncryptionSql.lock(table),
            Function.identity(),
            (Object) ids.toArray(Long[]::new));
    locked.addAll(lanes(rows));
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

  private static Collection<Claims.ReopenedLane> lanes(List<Row> rows) {
    Map<String, Claims.ReopenedLane> first = new HashMap<>();
    for (Row row : rows) {
      if (!row.isNull(5)) {
        var place =
            new Claims.ReopenedLane(row.text(3), row.text(2), row.integer(4), row.number(5));
        first.merge(
            place.queue() + " " + place.priority() + " " + place.type(),
            place,
            (one, other) -> one.position() <= other.position() ? one : other);
      }
    }
    return first.values();
  }

  private @Nullable String[] encrypted(Row row) {
    long job = row.isNull(1) ? 0 : row.number(1);
    String type = row.text(2);
    List<String> names = table.columns();
    @Nullable String[] columns = new String[names.size()];
    for (int i = 0; i < columns.length; i++) {
      String stored = row.textOrNull(i + 6);
      columns[i] = stored == null ? null : anew(names.get(i), job, type, stored);
    }
    return columns;
  }

  private String anew(String column, long job, String type, String stored) {
    return switch (column) {
      case "payload" -> json(EncryptionContext.payload(job, type), stored);
      case "properties" -> json(EncryptionContext.properties(job, type), stored);
      case "result" -> json(EncryptionContext.result(job, type), stored);
      case "line" -> text(EncryptionContext.log(job), stored);
      default ->
          text(
              table == Table.RULE_RUNS
                  ? EncryptionContext.found(job)
                  : EncryptionContext.failure(job),
              stored);
    };
  }

  private String json(EncryptionContext context, String stored) {
    Encryption encryption = transactions.encryption();
    return Encryption.isSealed(stored)
        ? encryption.sealJson(context, encryption.openJson(context, stored), wanted.key())
        : stored;
  }

  private String text(EncryptionContext context, String stored) {
    Encryption encryption = transactions.encryption();
    return stored.startsWith(Encryption.TEXT_PREFIX)
        ? encryption.sealText(context, encryption.openText(context, stored), wanted.key())
        : stored;
  }
}
