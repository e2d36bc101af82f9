package org.readpast.admin.sql;

/**
 * Contains the statements about the throughput of all nodes per second and per minute, which nodes
 * report with their heartbeats.
 */
public final class ThroughputSql {
  private ThroughputSql() {}

  /** Lists the periods over which nodes sum up their counts. */
  public enum Period {
    /** Represents a second of the last five minutes, stored only while a user watches. */
    SECOND("readpast_second", "second", "type = cast(?3 as text)"),
    /** Represents a minute of the last day; it contains the sum of all types of a queue. */
    MINUTE("readpast_minute", "minute", "false");

    private final String table;
    private final String column;
    private final String ofType;

    Period(String table, String column, String ofType) {
      this.table = table;
      this.column = column;
      this.ofType = ofType;
    }

    private String matching() {
      return """
          %2$s > to_timestamp(cast(?1 as bigint))
            and (cast(?2 as text) is null or queue = cast(?2 as text)) and (cast(?3 as text) is null or %3$s)
            and %4$s and (queue <> '' or %5$s)"""
          .formatted(table, column, ofType, ScopeSql.sees("queue", 4), ScopeSql.seesAll(4));
    }
  }

  /**
   * Lists the values by which a breakdown can be grouped. The counts of minutes are not stored by
   * type.
   */
  public enum Grouping {
    SECONDS_BY_QUEUE(Period.SECOND, "queue"),
    SECONDS_BY_TYPE(Period.SECOND, "type"),
    MINUTES_BY_QUEUE(Period.MINUTE, "queue");

    private final Period period;
    private final String column;

    Grouping(Period period, String column) {
      this.period = period;
      this.column = column;
    }
  }

  private static final String CLASSES =
      """
      cross join lateral (
        select 'WAIT', i, v from unnest(waits) with ordinality w(v, i)
        union all select 'RUN', i, v from unnest(runs) with ordinality r(v, i)) d(kind, i, v)""";

  /**
   * Returns the columns (the database's time in seconds since 1970, the longest lease of the nodes
   * in ms).
   */
  public static String clock() {
    return """
        select cast(extract(epoch from clock_timestamp()) as bigint), coalesce(max(lease_ms), 0)
        from readpast_node where state in ('ACTIVE', 'STOPPING')""";
  }

  /**
   * Makes nodes store their counts per second for the next 20 to 30 s. The condition is checked
   * before the insert, because an insert that conflicts locks the row even if it changes nothing.
   */
  public static String watch() {
    return """
        insert into readpast_watch (one, until)
        select true, clock_timestamp() + interval '30 seconds'
        where not exists (select 1 from readpast_watch where until > clock_timestamp() + interval '20 seconds')
        on conflict (one) do update set until = excluded.until""";
  }

  /**
   * Returns (start in seconds since 1970, enqueued, completed, failed) of each period. Parameters:
   * ?1 = time in seconds since 1970, after which periods are returned, ?2 = queue or null, ?3 =
   * type or null, ?4 and ?5 = the visible queues (see {@link ScopeSql}).
   */
  public static String counts(Period period) {
    return """
        select cast(extract(epoch from %2$s) as bigint), sum(enqueued), sum(completed), sum(failed) from %1$s
        where %3$s group by 1"""
        .formatted(period.table, period.column, period.matching());
  }

  /**
   * Returns (start in seconds since 1970, WAIT or RUN, number of the duration class from 1, count)
   * of each period. Parameters: those of {@link #counts}.
   */
  public static String durations(Period period) {
    return """
        select cast(extract(epoch from %2$s) as bigint), kind, i, sum(v) from %1$s
        %4$s
        where %3$s and v > 0 group by 1, 2, 3"""
        .formatted(period.table, period.column, period.matching(), CLASSES);
  }

  /**
   * Returns (start in seconds since 1970, queue or type, completed and failed attempts) of each
   * period, for those that ended the most attempts; the others are summed up under an empty name.
   * Parameters: those of {@link #counts}, ?6 = maximum number of names.
   */
  public static String breakdown(Grouping by) {
    return """
        with ended as materialized (
          select %2$s as at, %4$s as name, sum(completed + failed) as n from %1$s
          where %3$s and completed + failed > 0 group by 1, 2),
        busiest as (
          select name from ended where name <> '' group by 1 order by sum(n) desc, 1 limit ?6)
        select cast(extract(epoch from at) as bigint), coalesce(b.name, ''), sum(n)
        from ended e left join busiest b on b.name = e.name group by 1, 2"""
        .formatted(by.period.table, by.period.column, by.period.matching(), by.column);
  }

  /**
   * Returns (type, enqueued, completed, failed), summed up over seconds. Parameters: those of
   * {@link #counts}.
   */
  public static String typeCounts() {
    return """
        select type, sum(enqueued), sum(completed), sum(failed) from readpast_second
        where %s and type <> '' group by 1"""
        .formatted(Period.SECOND.matching());
  }

  /**
   * Returns (type, WAIT or RUN, number of the duration class from 1, count), summed up over
   * seconds. Parameters: those of {@link #counts}.
   */
  public static String typeDurations() {
    return """
        select type, kind, i, sum(v) from readpast_second
        %2$s
        where %1$s and type <> '' and v > 0 group by 1, 2, 3"""
        .formatted(Period.SECOND.matching(), CLASSES);
  }
}
