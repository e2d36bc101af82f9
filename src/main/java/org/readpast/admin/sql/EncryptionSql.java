package org.readpast.admin.sql;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Contains the statements about keys and encrypted data. */
public final class EncryptionSql {
  private EncryptionSql() {}

  /** Returns (key, sample, time of its first use, time of its retirement or null) of each key. */
  public static String keys() {
    return """
        select id, sample, first_used_at, retired_at from readpast_encryption_key order by first_used_at, id""";
  }

  /**
   * Records that a key is used for encryption, whether it is new, known or retired. Parameters: ?1
   * = key, ?2 = sample.
   */
  public static String addKey() {
    return """
        insert into readpast_encryption_key as k (id, sample) values (?1, ?2)
        on conflict (id) do update set retired_at = null where k.retired_at is not null""";
  }

  /**
   * Records that a retired key is used for encryption again; otherwise locks and writes nothing.
   * Parameter: ?1 = key.
   */
  public static String reviveKey() {
    return "update readpast_encryption_key set retired_at = null where id = ?1 and retired_at is not null";
  }

  /** Records that keys no longer encrypt anything. Parameter: ?1 = keys. */
  public static String retireKeys() {
    return """
        update readpast_encryption_key set retired_at = clock_timestamp()
        where id = any(cast(?1 as text[])) and retired_at is null""";
  }

  /** Returns the columns (id of the next transaction, id of the oldest open transaction). */
  public static String openTransactions() {
    return """
        select cast(cast(pg_snapshot_xmax(s) as text) as bigint), cast(cast(pg_snapshot_xmin(s) as text) as bigint)
        from (select pg_current_snapshot() as s) now""";
  }

  private static final String AVAILABLE =
      """
      case when state = 'AVAILABLE' then queue end, case when state = 'AVAILABLE' then priority end,
        case when state = 'AVAILABLE' then position end""";

  /** Lists the tables with encrypted columns; the columns of a table are all JSON or all text. */
  public enum Table {
    JOBS("readpast_job", "id", "type", true, "payload", "properties"),
    HISTORY("readpast_job_history", "id", "type", true, "payload", "properties", "result"),
    CALLBACKS("readpast_callback", "reserved_id", "type", true, "payload", "properties"),
    FAILURES("readpast_failure", "job_id", "''", false, "message", "trace"),
    LOG("readpast_log", "job_id", "''", false, "line"),
    STATEMENTS("readpast_sql_log", "job_id", "''", false, "error"),
    RULE_RUNS("readpast_rule_run", "id", "''", false, "error");

    private final String table;
    private final String job;
    private final String type;
    private final boolean json;
    private final List<String> columns;

    Table(String table, String job, String type, boolean json, String... columns) {
      this.table = table;
      this.job = job;
      this.type = type;
      this.json = json;
      this.columns = List.of(columns);
    }

    /** Returns true if the columns are JSON. */
    public boolean json() {
      return json;
    }

    /** Returns the names of the columns. */
    public List<String> columns() {
      return columns;
    }

    private String each(Function<String, String> column, String between) {
      return columns.stream().map(column).collect(joining(between));
    }
  }

  /** Returns (lowest id or null, highest id or null) of a table. */
  public static String range(Table of) {
    return "select min(id), max(id) from " + of.table;
  }

  /**
   * Returns the columns (the id that is a given number of rows after the given id, or null).
   * Parameters: ?1 = id, ?2 = number of rows.
   */
  public static String pageEnd(Table of) {
    return """
        select max(id) from (select id from %s where id > ?1 order by id limit cast(?2 as int)) p"""
        .formatted(of.table);
  }

  // Selects every envelope except those that the given keys encrypted.
  private static final String OTHER =
      """
      exists (select 1 from unnest(array[%s]) v where starts_with(v, cast(?%d as text))
        and not exists (select 1 from unnest(cast(?%d as text[])) k where starts_with(v, k)))""";

  /**
   * Returns (id, bytes) of rows in a range of ids that are encrypted with other keys. Parameters:
   * ?1 = id after which the range begins, ?2 = last id of the range, ?3 = prefix of all encrypted
   * content, ?4 = prefixes of encrypted content that stays unchanged.
   */
  public static String find(Table of) {
    return """
        select id, %s from %s
        where id > ?1 and id <= ?2 and %s
        order by id"""
        .formatted(
            of.each(column -> "coalesce(octet_length(cast(" + column + " as text)), 0)", " + "),
            of.table,
            OTHER.formatted(of.each(column -> "cast(" + column + " as text)", ", "), 3, 4));
  }

  /**
   * Locks rows of a table. Returns the columns (id, job, its type, the lane of an AVAILABLE job as
   * queue, priority and position or nulls, the encrypted columns). Parameter: ?1 = ids.
   */
  public static String lock(Table of) {
    return "select id, %s, %s, %s, %s from %s where id = any(cast(?1 as bigint[])) order by id for update skip locked"
        .formatted(
            of.job,
            of.type,
            of == Table.JOBS ? AVAILABLE : "null, null, null",
            of.each(column -> "cast(" + column + " as text)", ", "),
            of.table);
  }

  /**
   * Replaces the encrypted columns of rows. Parameter: ?1 = ids, further parameters = the columns,
   * as arrays of equal length.
   */
  public static String replace(Table of) {
    return """
        update %s t set %s
        from unnest(cast(?1 as bigint[]), %s) u(id, %s) where t.id = u.id"""
        .formatted(
            of.table,
            of.each(
                column ->
                    column + " = " + (of.json ? "cast(u." + column + " as json)" : "u." + column),
                ", "),
            IntStream.range(0, of.columns.size())
                .mapToObj(i -> "cast(?" + (i + 2) + " as text[])")
                .collect(joining(", ")),
            of.each(Function.identity(), ", "));
  }

  /**
   * Locks schedules whose payload is encrypted with another key. Returns the columns (name,
   * payload). Parameters: ?1 = prefix of all encrypted content, ?2 = prefixes of encrypted content
   * that stays unchanged.
   */
  public static String lockSchedules() {
    return "select name, cast(payload as text) from readpast_schedule where "
        + OTHER.formatted("cast(payload as text)", 1, 2)
        + " order by name for update";
  }

  /** Replaces the payload of a schedule. Parameters: ?1 = name, ?2 = payload. */
  public static String replaceSchedule() {
    return "update readpast_schedule set payload = cast(?2 as json) where name = ?1";
  }

  /**
   * Locks stored responses that are encrypted with another key. Returns the columns (principal,
   * key, response). Parameters: ?1 = prefix of all encrypted content, ?2 = prefixes of encrypted
   * content that stays unchanged, ?3 and ?4 = principal and idempotency key after which to start,
   * ?5 = maximum number.
   */
  public static String lockAnswers() {
    return "select principal, key, answer from readpast_idempotency where (principal, key) > (?3, ?4) and "
        + OTHER.formatted("answer", 1, 2)
        + " order by principal, key limit cast(?5 as int) for update";
  }

  /**
   * Replaces a stored response. Parameters: ?1 = principal, ?2 = idempotency key, ?3 = response.
   */
  public static String replaceAnswer() {
    return "update readpast_idempotency set answer = ?3 where principal = ?1 and key = ?2";
  }

  /**
   * Returns a row if a rule has found an object that is encrypted with another key. Parameters: ?1
   * = prefix of all encrypted content, ?2 = prefixes of encrypted content that stays unchanged.
   */
  public static String found() {
    return "select 1 from readpast_rule_found where "
        + OTHER.formatted("cast(payload as text)", 1, 2)
        + " limit 1";
  }
}
