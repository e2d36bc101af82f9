package org.readpast.admin.sql;

/**
 * Contains the statements that read the state of the database. The statements read statistics of
 * PostgreSQL and never count rows.
 */
public final class HealthSql {
  private HealthSql() {}

  private static final String HIDDEN = "query = '<insufficient privilege>'";

  /** Returns the column (version of PostgreSQL). */
  public static String version() {
    return "select current_setting('server_version')";
  }

  /**
   * Returns Readpast's tables and indexes, the largest table first, each followed by its indexes:
   * (name, table of an index or null, bytes, live rows or null, dead rows or null, last vacuum or
   * null, reads of an index or null).
   */
  public static String relations() {
    return """
        select c.relname, t.relname,
          case c.relkind when 'r' then pg_table_size(c.oid) else pg_relation_size(c.oid) end,
          case c.relkind when 'r' then pg_stat_get_live_tuples(c.oid) end,
          case c.relkind when 'r' then pg_stat_get_dead_tuples(c.oid) end,
          case c.relkind when 'r' then greatest(pg_stat_get_last_autovacuum_time(c.oid), pg_stat_get_last_vacuum_time(c.oid)) end,
          case c.relkind when 'i' then pg_stat_get_numscans(c.oid) end
        from pg_class c
        left join pg_index x on x.indexrelid = c.oid
        left join pg_class t on t.oid = x.indrelid
        where c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('readpast_job'))
          and c.relkind in ('r', 'i') and starts_with(c.relname, 'readpast_')
        order by pg_total_relation_size(coalesce(t.oid, c.oid)) desc, coalesce(t.oid, c.oid), c.relkind desc, c.relname""";
  }

  /**
   * Returns the columns (number of sessions whose details PostgreSQL hides, because they belong to
   * other users; age in ms, process, application and state of the oldest visible transaction, or
   * nulls).
   */
  public static String oldestTransaction() {
    return """
        with others as (
          select * from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()
            and backend_type is distinct from 'autovacuum worker'
        )
        select (select count(*) from others where %s),
          cast(extract(epoch from clock_timestamp() - o.xact_start) * 1000 as bigint), o.pid, o.application_name, o.state
        from (select) one left join lateral (
          select * from others where xact_start is not null order by xact_start limit 1) o on true"""
        .formatted(HIDDEN);
  }

  /**
   * Returns the columns (maximum number of prepared transactions, current number in all databases).
   */
  public static String prepared() {
    return "select cast(current_setting('max_prepared_transactions') as int), (select count(*) from pg_prepared_xacts)";
  }

  /**
   * Returns the session, prepared transaction or replication slot that keeps vacuum from removing
   * the oldest dead rows: (number of transactions begun since; SESSION, PREPARED or SLOT; its name;
   * process or null), or no row.
   */
  public static String oldestXmin() {
    return """
        select age, kind, name, pid from (
          select greatest(age(backend_xmin), age(backend_xid)) as age, 'SESSION' as kind, application_name as name, pid
          from pg_stat_activity
          where (datname = current_database() or datid is null) and pid <> pg_backend_pid()
            and backend_type is distinct from 'autovacuum worker'
          union all
          select age(transaction), 'PREPARED', gid, null from pg_prepared_xacts where database = current_database()
          union all
          select age(xmin), 'SLOT', slot_name, null from pg_replication_slots) held
        where age is not null
        order by age desc limit 1""";
  }
}
