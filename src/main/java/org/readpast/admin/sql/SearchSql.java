package org.readpast.admin.sql;

import org.readpast.sql.MaintenanceSql;

/**
 * Statements that look for jobs piece by piece, so that each takes a short time however many jobs
 * there are: first how far a piece goes, then what matches in it.
 */
public final class SearchSql {
  private SearchSql() {}

  /** What leads to the jobs that can match; all else is compared job by job. */
  public enum Way {
    /** All, by their ids. */
    ALL("cast(?4 as text) is null", "cast(?4 as text) is null"),
    /** Those that ended in a state other than COMPLETED. */
    ENDED("false", "h.state = cast(?4 as text) and h.state <> 'COMPLETED'"),
    /** Those of a batch. */
    BATCH(
        "j.batch = (select id from readpast_batch where name = cast(?4 as text))",
        "h.batch = (select id from readpast_batch where name = cast(?4 as text))"),
    /** One. */
    ONE("j.id = cast(cast(?4 as text) as bigint)", "h.id = cast(cast(?4 as text) as bigint)"),
    /** Those of a few live ones. */
    LIVE_ONES("j.id = any(cast(string_to_array(cast(?4 as text), ',') as bigint[]))", "false");

    private final String live;
    private final String ended;
    private final boolean named;

    Way(String live, String ended) {
      this.live = live;
      this.ended = ended;
      this.named = name().equals("BATCH") || name().equals("ONE");
    }

    /** Returns true if it leads to what a caller asks for by name. */
    public boolean named() {
      return named;
    }
  }

  /**
   * How far the next jobs go. 1: ids below this, 2: whether to look at live jobs, 3: at ended ones,
   * 4: what the way needs, 5: how many jobs; of a way that asks for a job or a batch by name 6 and
   * 7: the queues that are seen, as {@link ScopeSql}. Gives (lowest id or null, how many).
   */
  public static String reach(Way way) {
    return """
        select min(id), count(*) from (
          (select j.id from readpast_job j where cast(?2 as boolean) and %s and j.id < ?1%s
            order by j.id desc limit ?5)
          union all
          (select h.id from readpast_job_history h where cast(?3 as boolean) and %s and h.id < ?1%s
            order by h.id desc limit ?5)
          order by id desc limit ?5) x"""
        .formatted(way.live, scope(way, "j"), way.ended, scope(way, "h"));
  }

  /**
   * How far a hidden batch reaches would be an answer about it. Of the others the whole table would
   * be read for the few jobs of a caller's queues.
   */
  private static String scope(Way way, String table) {
    return way.named ? " and " + ScopeSql.sees(table + ".queue", 6) : "";
  }

  private static final String MATCHES =
      """
        and (cast(?7 as text) is null or %1$s.queue = cast(?7 as text))
        and (cast(?8 as text) is null or split_part(%1$s.type, '@', 1) = cast(?8 as text))
        and (cast(?9 as text) is null or starts_with(%1$s.type, cast(?9 as text)))
        and (cast(?10 as text) is null or %2$s = cast(?10 as text))
        and (cast(?11 as text) is null or %1$s.group_key = cast(?11 as text))
        and (cast(?12 as text) is null or %1$s.batch = (select id from readpast_batch where name = cast(?12 as text)))
        and (cast(?13 as int) is null or %1$s.wave = cast(?13 as int))
        and (cast(?14 as text) is null or %1$s.unique_key = cast(?14 as text))
        and (cast(?15 as text) is null or %1$s.correlation_id = cast(?15 as text))
        and (cast(?16 as text) is null or %3$s in (
          select no from readpast_node where name = cast(?16 as text) or cast(id as text) = cast(?16 as text)))
        and (cast(?17 as text) is null or exists (
          select 1 from readpast_failure f where f.job_id = %1$s.id
            and (f.exception ilike cast(?17 as text) or f.message ilike cast(?17 as text))))
        and not exists (
          select 1 from unnest(cast(?18 as text[]), cast(?19 as text[])) w(path, value)
          where json_extract_path_text(
            case when strpos(cast(%1$s.payload as text), '\\u') = 0 then %1$s.payload
              else cast(regexp_replace(cast(%1$s.payload as text), cast(?22 as text), '\\1', 'g') as json) end,
            variadic cast(w.path as text[])) is distinct from w.value)
        and (cast(?20 as bigint) is null
          or %1$s.enqueued_at < clock_timestamp() - cast(?20 as bigint) * interval '1 second')
        and (cast(?21 as bigint) is null
          or %1$s.enqueued_at > clock_timestamp() - cast(?21 as bigint) * interval '1 second')
        and %4$s
        and (cast(?25 as int) is null
          or coalesce(cast(nullif(split_part(%1$s.type, '@', 2), '') as int), 1) = cast(?25 as int))
      """;

  /**
   * In JSON, what PostgreSQL cannot read as text: NUL, and halves of pairs. Other escapes and whole
   * pairs are read too, as a group that stays, so that none is taken for a part of another.
   */
  public static final String UNREADABLE =
      "(\\\\[^u]|\\\\u[dD][89abAB]..\\\\u[dD][c-fC-F]..)|\\\\u0000|\\\\u[dD][89a-fA-F]..";

  /**
   * Those that match in a piece, newest first. 1 to 4: as for {@link #reach}, 5: how many, 6: ids
   * from this on; 7: queue, 8: type, 9: how a type begins, 10: state, 11: group, 12: batch, 13:
   * wave, 14: unique key, 15: correlation id, 16: name or id of a node, 17: pattern of an error,
   * 18: paths in the payload, 19: values there, 20: enqueued longer ago than so many seconds, 21:
   * less long; null: any; 22: {@link #UNREADABLE}; 23 and 24: the queues that are seen, as {@link
   * ScopeSql}; 25: version of the type or null. Gives jobs without their payloads.
   */
  public static String matching(Way way) {
    return ReadSql.COLUMNS
        + " from (("
        + ReadSql.LIVE
        + " where cast(?2 as boolean) and j.id < ?1 and j.id >= ?6 and "
        + way.live
        + MATCHES.formatted("j", "j.state", "o.no", ScopeSql.sees("j.queue", 23))
        + " order by j.id desc limit ?5) union all ("
        + ReadSql.ENDED
        + " where cast(?3 as boolean) and h.id < ?1 and h.id >= ?6 and "
        + way.ended
        + MATCHES.formatted("h", "h.state", "h.node", ScopeSql.sees("h.queue", 23))
        + " order by h.id desc limit ?5)) x"
        + " left join readpast_type t on t.name = x.type"
        + " order by x.id desc limit ?5";
  }

  /** As {@link #matching}. Gives (state, how many). */
  public static String counted(Way way) {
    return "select state, count(*) from (" + matching(way) + ") found group by state";
  }

  /** As {@link #matching}. Gives (id). */
  public static String ids(Way way) {
    return "select id from (" + matching(way) + ") found order by id desc";
  }

  /** 1: how many. Gives (id) of the jobs in work. */
  public static String running() {
    return """
        select id from readpast_job where state = 'RUNNING' and id = any(array(select unnest(jobs) from readpast_lease))
        limit ?1""";
  }

  /** 1: how many. Gives (id) of jobs that wait for a moment. */
  public static String scheduled() {
    return """
        select id from readpast_job where position is null and waits_for is null order by available_at limit ?1""";
  }

  /** 1: how many. Gives (id) of jobs that wait for others. */
  public static String blocked() {
    return """
        (select id from readpast_job where waits_for = 'WAVE' and state = 'BLOCKED' order by batch, wave, id limit ?1)
        union
        (select id from readpast_job where waits_for = 'GROUP' and state = 'BLOCKED' order by queue, group_key, id
          limit ?1)
        union
        (select j.id from readpast_predecessor p join readpast_job j on j.id = p.job_id
          where j.waits_for = 'PREDECESSOR' limit ?1)
        limit ?1""";
  }

  /** 1: ids. Gives (job, exception and message) of the last failed attempt of each. */
  public static String lastFailures() {
    return """
        select distinct on (job_id) job_id, concat_ws(': ', exception, message) from readpast_failure
        where job_id = any(cast(?1 as bigint[])) order by job_id, id desc""";
  }

  /**
   * What each queue holds, counted up to a limit by what is indexed. 1: the limit, 2 and 3: the
   * queues that are seen, as {@link ScopeSql}. Gives (queue, how many are AVAILABLE or RUNNING,
   * COMPLETED, DISCARDED, CANCELLED, EXPIRED).
   */
  public static String depths() {
    return """
        select q.name,
          %s,
          (select count(*) from (
            select 1 from readpast_job_history h where h.queue = q.name and h.state = 'COMPLETED' limit ?1) x),
          (select count(*) from (
            select 1 from readpast_job_history h where h.queue = q.name and h.state = 'DISCARDED' limit ?1) x),
          (select count(*) from (
            select 1 from readpast_job_history h where h.queue = q.name and h.state = 'CANCELLED' limit ?1) x),
          (select count(*) from (
            select 1 from readpast_job_history h where h.queue = q.name and h.state = 'EXPIRED' limit ?1) x)
        from readpast_queue q where %s"""
        .formatted(MaintenanceSql.DEPTH, ScopeSql.sees("q.name", 2));
  }

  /**
   * 1: ids, 2 and 3: the queues that are seen, as {@link ScopeSql}. Gives (queue, how many, for how
   * many ms the oldest has been there, or has run, how many have a place in a lane) of those that
   * are live.
   */
  public static String queuesOf() {
    return """
        select queue, count(*), cast(extract(epoch from clock_timestamp()
            - min(case when state = 'RUNNING' then claimed_at else enqueued_at end)) * 1000 as bigint), count(position)
        from readpast_job where id = any(cast(?1 as bigint[])) and %s group by queue"""
        .formatted(ScopeSql.sees("queue", 2));
  }

  /** 1: the limit. Gives (state, how many) of states that are indexed, counted up to the limit. */
  public static String rare() {
    return """
        select 'SCHEDULED', count(*) from (
          select 1 from readpast_job where position is null and waits_for is null limit ?1) x
        union all
        select s.state, (select count(*) from (
          select 1 from readpast_job_history h where h.state = s.state and h.state <> 'COMPLETED' limit ?1) x)
        from (values ('DISCARDED'), ('CANCELLED'), ('EXPIRED')) s(state)""";
  }

  /** Gives (about how many live jobs, about how many ended ones, and scheduled ones) there are. */
  public static String about() {
    return """
        select pg_stat_get_live_tuples(to_regclass('readpast_job')),
          pg_stat_get_live_tuples(to_regclass('readpast_job_history')),
          (select cast(reltuples as bigint) from pg_class where oid = to_regclass('readpast_job_due'))""";
  }
}
