package org.readpast.admin.sql;

import org.readpast.sql.ClaimSql;

/**
 * Contains the statements about the state of the system. None of the statements counts all jobs of
 * a large backlog.
 */
public final class OverviewSql {
  private OverviewSql() {}

  /**
   * Returns (kind, number of the duration class from 1, count); the kind is WAIT or RUN.
   * Parameters: ?1 = number of minutes, ?2 and ?3 = the visible queues (see {@link ScopeSql}).
   */
  public static String durations() {
    return """
        select 'WAIT', i, sum(v) from readpast_minute cross join lateral unnest(waits) with ordinality x(v, i)
        where minute > clock_timestamp() - cast(?1 as int) * interval '1 minute' and %1$s group by i
        union all
        select 'RUN', i, sum(v) from readpast_minute cross join lateral unnest(runs) with ordinality x(v, i)
        where minute > clock_timestamp() - cast(?1 as int) * interval '1 minute' and %1$s group by i
        order by 1, 2"""
        .formatted(ScopeSql.sees("queue", 2));
  }

  /**
   * Returns (queue, number of jobs per second that ended or failed) in the last minute and the
   * current one.
   */
  public static String rates() {
    return """
        select queue, cast(sum(completed + failed) as float8)
          / (60 + extract(second from clock_timestamp())) from readpast_minute
        where minute >= date_trunc('minute', clock_timestamp()) - interval '1 minute' group by queue""";
  }

  /** Returns the columns (queue, minutes ago, depth). Parameter: ?1 = number of minutes. */
  public static String depths() {
    return """
        select queue, cast(extract(epoch from date_trunc('minute', clock_timestamp()) - minute) / 60 as int), depth
        from readpast_depth where minute > clock_timestamp() - cast(?1 as int) * interval '1 minute'""";
  }

  // The query jumps from one lane to the next: the first job of each lane is its oldest.
  private static final String LANES =
      """
        with recursive lane as (
          (select queue, type, priority, available_at from readpast_job
            where %1$s and state = 'AVAILABLE' order by queue, type, priority, position limit 1)
          union all
          select n.* from lane l cross join lateral (
            select queue, type, priority, available_at from readpast_job
            where %1$s and state = 'AVAILABLE'
              and (queue, type, priority) > (l.queue, l.type, l.priority)
            order by queue, type, priority, position limit 1) n)
        """
          .formatted(ClaimSql.ANY_PLACE);

  private static final String OLDEST =
      "cast(extract(epoch from clock_timestamp() - min(available_at)) * 1000 as bigint)";

  /** Returns the columns (queue, ms since its oldest AVAILABLE job became due). */
  public static String oldest() {
    return LANES + "select queue, " + OLDEST + " from lane group by queue";
  }

  /**
   * Returns (type, ms since its oldest AVAILABLE job became due) of types that no live node
   * handles. Parameters: ?1 and ?2 = the visible queues (see {@link ScopeSql}).
   */
  public static String notWorked() {
    return LANES
        + "select type, "
        + OLDEST
        + """
         from lane
        where not exists (
          select 1 from readpast_node n where n.state in ('ACTIVE', 'STOPPING') and lane.type = any(n.types))
          and %s
        group by type"""
            .formatted(ScopeSql.sees("queue", 1));
  }

  /**
   * Returns (type) of types that have a waiting job in the visible queues which no live node could
   * read; only the last such job of each type counts. Parameters: ?1 and ?2 = the visible queues
   * (see {@link ScopeSql}).
   */
  public static String unreadable() {
    return """
        select distinct r.type from readpast_registration r join readpast_job j on j.id = r.unreadable_job
        where j.type = r.type and j.state <> 'RUNNING' and %s order by 1"""
        .formatted(ScopeSql.sees("j.queue", 1));
  }

  /**
   * Returns (number of jobs that hold waves, number of jobs that hold groups, number of held
   * batches with a job in the visible queues), each up to 100. Parameters: ?1 and ?2 = the visible
   * queues (see {@link ScopeSql}).
   */
  public static String holds() {
    // An entry in readpast_hold names its queue only if the job also holds a group.
    return """
        select (select count(*) from (select 1 from readpast_hold o where batch is not null and (%1$s or exists (
            select 1 from readpast_job_history where id = o.job_id and %2$s)) limit 100) x),
          (select count(*) from (select 1 from readpast_hold where group_key is not null and %2$s limit 100) x),
          (select count(*) from (select 1 from readpast_batch b where held_at is not null and (%1$s or exists (
            select 1 from readpast_job where batch = b.id and %2$s)) limit 100) x)"""
        .formatted(ScopeSql.seesAll(1), ScopeSql.sees("queue", 1));
  }

  /**
   * Returns (ms, application) of the transaction that has held back vacuum for the longest time.
   * PostgreSQL shows only the user's own transactions, unless the user has the role
   * pg_read_all_stats.
   */
  public static String oldestTransaction() {
    return """
        select cast(extract(epoch from clock_timestamp() - xact_start) * 1000 as bigint), application_name
        from pg_stat_activity where backend_xmin is not null and xact_start is not null
          and backend_type = 'client backend' and pid <> pg_backend_pid()
        order by age(backend_xmin) desc, xact_start limit 1""";
  }

  /**
   * Returns values that change whenever something has happened: counters of all nodes, settings and
   * states. Nodes serve hidden queues as well, so their states are null if only the named queues
   * are visible. Parameters: ?1 and ?2 = the visible queues (see {@link ScopeSql}).
   */
  public static String pulse() {
    return """
        select coalesce(sum(enqueued), 0), coalesce(sum(completed), 0), coalesce(sum(failed), 0), coalesce(sum(dead), 0),
          (select string_agg(concat_ws(' ', name, paused, concurrency, global_concurrency, configured_global_concurrency, reserved), ',' order by name)
            from readpast_queue where %1$s),
          case when cast(?2 as boolean) then (
            select coalesce(string_agg(concat_ws(' ', no, state, receivers), ',' order by no), '') from readpast_node) end
        from readpast_listener where %2$s"""
        .formatted(ScopeSql.sees("name", 1), ScopeSql.sees("queue", 1));
  }
}
