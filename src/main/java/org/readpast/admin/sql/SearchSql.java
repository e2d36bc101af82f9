package org.readpast.admin.sql;

import org.readpast.sql.MaintenanceSql;

/**
 * Contains the statements that search for jobs section by section, so that each statement is short
 * regardless of the number of jobs. The first statement finds how far a section extends, and the
 * next one finds the matching jobs in it.
 */
public final class SearchSql {
  private SearchSql() {}

  /** Lists the access paths to jobs that can match. All other criteria are compared job by job. */
  public enum Way {
    /** Selects all jobs, by their ids. */
    ALL("cast(?4 as text) is null", "cast(?4 as text) is null"),
    /** Selects jobs that ended in a state other than COMPLETED. */
    ENDED("false", "h.state = cast(?4 as text) and h.state <> 'COMPLETED'"),
    /** Selects jobs of a batch. */
    BATCH(
        "j.batch = (select id from readpast_batch where name = cast(?4 as text))",
        "h.batch = (select id from readpast_batch where name = cast(?4 as text))"),
    /** Selects a single job. */
    ONE("j.id = cast(cast(?4 as text) as bigint)", "h.id = cast(cast(?4 as text) as bigint)"),
    /** Selects a short list of live jobs. */
    LIVE_ONES("j.id = any(cast(string_to_array(cast(?4 as text), ',') as bigint[]))", "false");

    private final String live;
    private final String ended;
    private final boolean named;

    Way(String live, String ended) {
      this.live = live;
      this.ended = ended;
      this.named = name().equals("BATCH") || name().equals("ONE");
    }

    /** Returns true if the access path is a single job or batch, which the caller names. */
    public boolean named() {
      return named;
    }
  }

  /** Lists the directions in which the indexes are read. */
  public enum Direction {
    /** Reads from the newest job to the oldest. */
    BACKWARD("<", ">=", "desc", "min"),
    /** Reads from the oldest job to the newest. */
    FORWARD(">", "<=", "asc", "max");

    private final String after;
    private final String upTo;
    private final String sort;
    private final String last;

    Direction(String after, String upTo, String sort, String last) {
      this.after = after;
      this.upTo = upTo;
      this.sort = sort;
      this.last = last;
    }
  }

  /**
   * Returns (last id or null, number of jobs) of the next section. Parameters: ?1 = id after which
   * to continue in the direction, ?2 = true to read live jobs, ?3 = true to read ended jobs, ?4 =
   * argument of the access path, ?5 = number of jobs; only if the caller names a job or a batch: ?6
   * and ?7 = the visible queues (see {@link ScopeSql}).
   */
  public static String reach(Way way, Direction direction) {
    return """
        select %7$s(id), count(*) from (
          (select j.id from readpast_job j where cast(?2 as boolean) and %1$s and j.id %5$s ?1%2$s
            order by j.id %6$s limit ?5)
          union all
          (select h.id from readpast_job_history h where cast(?3 as boolean) and %3$s and h.id %5$s ?1%4$s
            order by h.id %6$s limit ?5)
          order by id %6$s limit ?5) x"""
        .formatted(
            way.live,
            scope(way, "j"),
            way.ended,
            scope(way, "h"),
            direction.after,
            direction.sort,
            direction.last);
  }

  /**
   * Returns a condition that limits a named job or batch to the visible queues, because the size of
   * a hidden batch must not be revealed. Other access paths have no such condition, because the
   * statement would read the whole table for the few jobs of the visible queues.
   */
  private static String scope(Way way, String table) {
    return way.named ? " and " + ScopeSql.sees(table + ".queue", 6) : "";
  }

  private static final String MATCHES =
      """
        and (cast(?7 as text[]) = '{}' or %1$s.queue = any(cast(?7 as text[])))
        and (cast(?8 as text[]) = '{}' and cast(?9 as text[]) = '{}'
          or split_part(%1$s.type, '@', 1) = any(cast(?8 as text[])) or %1$s.type like any(cast(?9 as text[])))
        and (cast(?10 as text) is null or %2$s = cast(?10 as text))
        and (cast(?11 as text) is null or %1$s.group_key = cast(?11 as text))
        and (cast(?12 as text) is null or %1$s.batch = (select id from readpast_batch where name = cast(?12 as text)))
        and (cast(?13 as int) is null or %1$s.wave = cast(?13 as int))
        and (cast(?14 as text) is null or %1$s.unique_key = cast(?14 as text))
        and (cast(?15 as text) is null or %1$s.correlation_id = cast(?15 as text))
        and (cast(?16 as text[]) = '{}' or %3$s in (
          select no from readpast_node
          where name = any(cast(?16 as text[])) or cast(id as text) = any(cast(?16 as text[]))))
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
        and (cast(?25 as int[]) = '{}'
          or coalesce(cast(nullif(split_part(%1$s.type, '@', 2), '') as int), 1) = any(cast(?25 as int[])))
        and (cast(?26 as int[]) = '{}' or %1$s.priority = any(cast(?26 as int[])))
        and not exists (
          select 1 from unnest(cast(?27 as text[]), cast(?28 as text[])) w(name, value)
          where %1$s.properties is null or
            case when strpos(cast(%1$s.properties as text), '\\u') = 0 then %1$s.properties
              else cast(regexp_replace(cast(%1$s.properties as text), cast(?22 as text), '\\1', 'g') as json) end
            ->> w.name is distinct from w.value)
      """;

  /**
   * Matches escapes in JSON that PostgreSQL cannot convert to text: NUL and unpaired surrogates.
   * The pattern also matches all other escapes and complete pairs, in a group that is kept, so that
   * no part of them is taken for an unpaired surrogate.
   */
  public static final String UNREADABLE =
      "(\\\\[^u]|\\\\u[dD][89abAB]..\\\\u[dD][c-fC-F]..)|\\\\u0000|\\\\u[dD][89a-fA-F]..";

  /**
   * Returns the matching jobs in one section of the search, without their payloads, in the
   * direction. Parameters: ?1 to ?4 = those of {@link #reach}, ?5 = maximum number, ?6 = last id;
   * criteria, each null or an empty array for any value: ?7 = queues, ?8 = types, ?9 = patterns of
   * types, ?10 = state, ?11 = group, ?12 = batch, ?13 = wave, ?14 = unique key, ?15 = correlation
   * id, ?16 = names or ids of nodes, ?17 = pattern of an error, ?18 = paths in the payload, ?19 =
   * values at these paths, ?20 = minimum seconds since the enqueue, ?21 = maximum seconds since the
   * enqueue; ?22 = {@link #UNREADABLE}, ?23 and ?24 = the visible queues (see {@link ScopeSql}),
   * ?25 = versions of the types, ?26 = priorities, ?27 = names of properties, ?28 = values of these
   * properties.
   */
  public static String matching(Way way, Direction direction) {
    return ReadSql.COLUMNS
        + " from (("
        + ReadSql.LIVE
        + " where cast(?2 as boolean) and "
        + section("j.id", direction)
        + way.live
        + MATCHES.formatted("j", "j.state", "o.no", ScopeSql.sees("j.queue", 23))
        + sorted("j.id", direction)
        + ") union all ("
        + ReadSql.ENDED
        + " where cast(?3 as boolean) and "
        + section("h.id", direction)
        + way.ended
        + MATCHES.formatted("h", "h.state", "h.node", ScopeSql.sees("h.queue", 23))
        + sorted("h.id", direction)
        + ")) x"
        + " left join readpast_type t on t.name = x.type"
        + sorted("x.id", direction);
  }

  private static String section(String id, Direction direction) {
    return "%1$s %2$s ?1 and %1$s %3$s ?6 and ".formatted(id, direction.after, direction.upTo);
  }

  private static String sorted(String id, Direction direction) {
    return " order by " + id + " " + direction.sort + " limit ?5";
  }

  /**
   * Returns (state, count) of the matching jobs in one section of the search. Parameters: those of
   * {@link #matching}.
   */
  public static String counted(Way way) {
    return "select state, count(*) from ("
        + matching(way, Direction.BACKWARD)
        + ") found group by state";
  }

  /**
   * Returns the most frequent values of the matching jobs in one section of the search: (QUEUE,
   * TYPE, STATE, PRIORITY, NODE or PROPERTY; name of the property or ''; value; count). Encrypted
   * properties and very long values are omitted. Parameters: those of {@link #matching}.
   */
  public static String facets(Way way) {
    return """
        select kind, property, case kind when 'NODE' then (select n.name from readpast_node n where cast(n.id as text) = value) else value end, count
        from (
          select kind, property, value, count(*) as count,
            row_number() over (partition by kind, property order by count(*) desc, value) as place
          from (%s) found cross join lateral (
            select 'QUEUE', '', cast(queue as text)
            union all select 'TYPE', '', cast(type as text)
            union all select 'STATE', '', cast(state as text)
            union all select 'PRIORITY', '', cast(priority as text)
            union all select 'NODE', '', node where node is not null
            union all select 'PROPERTY', key, left(p.value, 101) from json_each_text(
              cast(case when properties like '{"readpast:encrypted":%%' then null
                when strpos(properties, '\\u') = 0 then properties
                else regexp_replace(properties, cast(?22 as text), '\\1', 'g') end as json)) p
          ) f(kind, property, value)
          where value is not null and length(value) <= 100
          group by kind, property, value) counted
        where place <= 50
        order by count desc limit 1000"""
        .formatted(matching(way, Direction.BACKWARD));
  }

  /**
   * Returns (id) of the matching jobs in one section of the search. Parameters: those of {@link
   * #matching}.
   */
  public static String ids(Way way) {
    return "select id from (" + matching(way, Direction.BACKWARD) + ") found order by id desc";
  }

  /** Returns (id) of running jobs. Parameter: ?1 = maximum number. */
  public static String running() {
    return """
        select id from readpast_job where state = 'RUNNING' and id = any(array(select unnest(jobs) from readpast_lease))
        limit ?1""";
  }

  /** Returns (id) of jobs that wait for their due time. Parameter: ?1 = maximum number. */
  public static String scheduled() {
    return """
        select id from readpast_job where position is null and waits_for is null order by available_at limit ?1""";
  }

  /** Returns (id) of jobs that wait for other jobs. Parameter: ?1 = maximum number. */
  public static String blocked() {
    // The recursive query jumps from one job to the next in the primary key of the predecessors,
    // because a job can have thousands of them.
    return """
        (select id from readpast_job where waits_for = 'WAVE' and state = 'BLOCKED' order by batch, wave, id limit ?1)
        union all
        (select id from readpast_job where waits_for = 'GROUP' and state = 'BLOCKED' order by queue, group_key, id
          limit ?1)
        union all
        (with recursive follower(id) as (
            select min(job_id) from readpast_predecessor
            union all
            select (select min(job_id) from readpast_predecessor where job_id > f.id) from follower f
            where f.id is not null)
          select j.id from follower f join readpast_job j on j.id = f.id where j.waits_for = 'PREDECESSOR' limit ?1)
        limit ?1""";
  }

  /**
   * Returns (job, exception and message) of the last failed attempt of each job. Parameter: ?1 =
   * ids.
   */
  public static String lastFailures() {
    return """
        select distinct on (job_id) job_id, concat_ws(': ', exception, message) from readpast_failure
        where job_id = any(cast(?1 as bigint[])) order by job_id, id desc""";
  }

  /**
   * Returns for each queue the numbers of jobs, each counted in an index up to the limit: (queue,
   * AVAILABLE or RUNNING, COMPLETED, DISCARDED, CANCELLED, EXPIRED). Parameters: ?1 = limit, ?2 and
   * ?3 = the visible queues (see {@link ScopeSql}).
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
   * Returns (queue, number of live jobs, ms for which the oldest one has been waiting or running,
   * number of jobs with a position in a lane), counting the given jobs that are live. Parameters:
   * ?1 = ids of jobs, ?2 and ?3 = the visible queues (see {@link ScopeSql}).
   */
  public static String queuesOf() {
    return """
        select queue, count(*), cast(extract(epoch from clock_timestamp()
            - min(case when state = 'RUNNING' then claimed_at else enqueued_at end)) * 1000 as bigint), count(position)
        from readpast_job where id = any(cast(?1 as bigint[])) and %s group by queue"""
        .formatted(ScopeSql.sees("queue", 2));
  }

  /**
   * Returns (state, number of jobs) of the states that have an index, counted up to the limit.
   * Parameter: ?1 = limit.
   */
  public static String rare() {
    return """
        select 'SCHEDULED', count(*) from (
          select 1 from readpast_job where position is null and waits_for is null limit ?1) x
        union all
        select s.state, (select count(*) from (
          select 1 from readpast_job_history h where h.state = s.state and h.state <> 'COMPLETED' limit ?1) x)
        from (values ('DISCARDED'), ('CANCELLED'), ('EXPIRED')) s(state)""";
  }

  /** Returns the columns (estimated number of live jobs, of ended jobs, of scheduled jobs). */
  public static String about() {
    return """
        select pg_stat_get_live_tuples(to_regclass('readpast_job')),
          pg_stat_get_live_tuples(to_regclass('readpast_job_history')),
          (select cast(reltuples as bigint) from pg_class where oid = to_regclass('readpast_job_due'))""";
  }
}
