package org.readpast.sql;

/**
 * Contains the statements about the limits of job types across all nodes. All names are those of
 * types without a version: a limit applies to all versions and aliases.
 */
public final class TypeLimitSql {
  // The limit that applies; the value 10000 means that there is none.
  private static final String MOST =
      "coalesce(%1$s.global_concurrency, %1$s.configured_global_concurrency, 10000)";

  // Leases name a type only while it has a limit, so counting starts again at the time at which a
  // limit is set.
  private static final String SINCE =
      "since = case when " + MOST + " >= 10000 then clock_timestamp() else %1$s.since end";

  private TypeLimitSql() {}

  /**
   * Stores configured limits. Parameters: arrays of equal length: ?1 = types, ?2 = maximum number
   * of concurrent jobs.
   */
  public static String configure() {
    // The insert skips unchanged rows, because a conflict locks the row and claims would then skip
    // the type.
    return """
        insert into readpast_type_limit as t (type, configured_global_concurrency)
        select * from unnest(cast(?1 as text[]), cast(?2 as int[])) as u(type, most)
        where not exists (
          select 1 from readpast_type_limit s where s.type = u.type and s.configured_global_concurrency = u.most)
        order by type
        on conflict (type) do update
          set configured_global_concurrency = excluded.configured_global_concurrency, %s"""
        .formatted(SINCE.formatted("t"));
  }

  /**
   * Sets the limit of a type, as an operator specifies it. Parameters: ?1 = type, ?2 = limit or
   * null for none.
   */
  public static String change() {
    return """
        update readpast_type_limit t set global_concurrency = cast(?2 as int), %s where type = ?1"""
        .formatted(SINCE.formatted("t"));
  }

  /**
   * Locks the limit of a type, which the statement inserts if it does not exist. Returns the
   * columns (limit that operators have set, or null if none). Parameter: ?1 = type.
   */
  public static String lockOrInsert() {
    return """
        insert into readpast_type_limit (type) values (?1)
        on conflict (type) do update set type = excluded.type returning global_concurrency""";
  }

  /**
   * Returns (the type whose limits apply to jobs of this name), if an engine has ever registered
   * the name. That type is the name itself, or the type of which the name is an alias. Parameter:
   * ?1 = name.
   */
  public static String typeOf() {
    // A node of an older version may have registered the name before it became an alias.
    return """
        select coalesce(max(alias_of), ?1) from readpast_type where split_part(name, '@', 1) = ?1
        having count(*) > 0""";
  }

  /**
   * Deletes all aliases of types except the given ones. Parameters: ?1 = types that a node handles,
   * ?2 = all aliases of these types.
   */
  public static String forgetAliases() {
    return """
        update readpast_type set alias_of = null
        where alias_of = any(cast(?1 as text[])) and split_part(name, '@', 1) <> all(cast(?2 as text[]))""";
  }

  /**
   * Returns (name, the type whose limit its jobs count against, maximum number of concurrent jobs)
   * of types and aliases. A type that has become an alias no longer has its own limit. The number
   * 10000 means that there is no limit.
   */
  public static String all() {
    return """
        select type, type, %1$s from readpast_type_limit t
        where %1$s < 10000 and not exists (
          select 1 from readpast_type where split_part(name, '@', 1) = t.type and alias_of is not null)
        union
        select split_part(a.name, '@', 1), t.type, %1$s
        from readpast_type_limit t join readpast_type a on a.alias_of = t.type
        where %1$s < 10000"""
        .formatted(MOST.formatted("t"));
  }

  /**
   * Finds the lanes that have a job to claim. Returns the columns (number of the lane, from 1).
   * Parameters: ?1 = queue; arrays of equal length: ?2 = types as they are stored, ?3 = priorities,
   * ?4 = marks.
   */
  public static String withJobs() {
    // The query has the same form as the claim, so that one plan is used for all values.
    return """
        select lane.no from unnest(
            (select cast(?2 as text[])), (select cast(?3 as int[])), (select cast(?4 as bigint[])))
          with ordinality as lane(type, priority, mark, no)
        cross join lateral (
          select 1 from readpast_job
          where queue = ?1 and type = lane.type and priority = lane.priority and state <> 'RUNNING'
            and queue between ?1 and ?1 and type between lane.type and lane.type
            and priority between lane.priority and lane.priority
            and position >= lane.mark
          order by position limit 1
        ) j""";
  }

  /**
   * Locks the limits of types, so that no other claim counts at the same time. Returns (type) of
   * the limits that were not locked by another transaction. Parameter: ?1 = types.
   */
  public static String lock() {
    // Jobs are counted in a separate statement, because this statement must see all rows that were
    // committed before the lock was acquired.
    return """
        select type from readpast_type_limit where type = any(cast(?1 as text[]))
        for no key update skip locked""";
  }

  /**
   * Finds the types that have fewer leased jobs than their limits allow. Returns the column (type).
   * Parameter: ?1 = types.
   */
  public static String belowLimit() {
    return """
        select t.type from readpast_type_limit t
        where t.type = any(cast(?1 as text[])) and %s > (%s)"""
        .formatted(MOST.formatted("t"), leased("t"));
  }

  /** Makes a lease count against the limit of a type. Parameters: ?1 = lease, ?2 = type. */
  public static String count() {
    return "update readpast_lease set limited_type = ?2 where id = ?1";
  }

  /**
   * Returns a query for the number of leased jobs that count against a limit; the limit is a row of
   * readpast_type_limit.
   */
  public static String leased(String limit) {
    // A node may learn of a new limit only after some seconds. Until a node learns of the limit,
    // the leases that it writes do not name the limited type.
    String names =
        """
        array(select %1$s.type
              union all select split_part(a.name, '@', 1) from readpast_type a where a.alias_of = %1$s.type)"""
            .formatted(limit);
    // A lease that names the limited type counts as long as it exists, even if the aliases have
    // changed or the type was renamed.
    return """
        select count(*) from readpast_job j
        where j.id = any(array(select unnest(l.jobs) from readpast_lease l
            where l.limited_type = any(%2$s)
              or l.limited_type is null and l.claimed_at < %1$s.since + interval '15 seconds'))
          and j.state = 'RUNNING'
          and (split_part(j.type, '@', 1) = any(%2$s)
            or j.id = any(array(select unnest(l.jobs) from readpast_lease l where l.limited_type = any(%2$s))))"""
        .formatted(limit, names);
  }
}
