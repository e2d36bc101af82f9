package org.readpast.sql;

/**
 * Contains the statements about the job types that nodes handle. There are few rows: one for each
 * type of each live node.
 */
public final class RegistrationSql {
  private RegistrationSql() {}

  /** Limits how many jobs are counted. */
  public static final int MOST_COUNTED = 10_000;

  private static final String LIVE =
      "exists (select 1 from readpast_node n where n.no = %s.node and n.state in ('ACTIVE', 'STOPPING'))";

  /**
   * Registers the types that a node handles. The registrations of the node replace equal
   * registrations of ended nodes of its application. Nodes that start at the same time do not wait
   * for each other. Parameters: ?1 = node, ?2 = application, ?3 = types, ?4 = shapes of their
   * payloads or nulls (arrays of equal length).
   */
  public static String register() {
    return """
        with types as (
          select type, shape from unnest(cast(?3 as text[]), cast(?4 as text[])) u(type, shape)),
        since as (
          select r.type, min(r.since) as since from readpast_registration r
          join types t on t.type = r.type and t.shape is not distinct from r.shape
          where r.application = ?2 group by r.type),
        deleted as (
          delete from readpast_registration where (node, type) in (
            select r.node, r.type from readpast_registration r join types t on t.type = r.type
            where r.application = ?2 and t.shape is not distinct from r.shape and r.node <> ?1 and not %s
            for update of r skip locked))
        insert into readpast_registration (node, type, application, shape, since)
        select ?1, t.type, ?2, t.shape, coalesce(s.since, clock_timestamp())
        from types t left join since s on s.type = t.type"""
        .formatted(LIVE.formatted("r"));
  }

  /**
   * Finds types for which live nodes of other applications have registered another payload shape.
   * Returns the columns (type, its shape on this node, another application, its shape there).
   * Parameter: ?1 = node.
   */
  public static String otherShapes() {
    return """
        select distinct mine.type, mine.shape, r.application, r.shape
        from readpast_registration mine
        join readpast_registration r
          on r.type = mine.type and r.application <> mine.application and r.shape <> mine.shape
        where mine.node = ?1 and %s order by 1, 3"""
        .formatted(LIVE.formatted("r"));
  }

  /**
   * Returns the column (true if another node may be able to read the payload of a job). A node may
   * be able to read the payload if it handles the type with another payload shape, and has not
   * failed to read this job. Parameters: ?1 = node, ?2 = type, ?3 = queue, ?4 = job.
   */
  public static String readableElsewhere() {
    return """
        select exists (
          select 1 from readpast_registration r join readpast_node n on n.no = r.node
          where r.type = ?2 and r.node <> ?1 and n.state = 'ACTIVE' and not n.drain_requested
            and (n.queues = '{}' or cast(?3 as text) = any(n.queues))
            and r.shape is distinct from (select shape from readpast_registration where node = ?1 and type = ?2)
            and not exists (
              select 1 from readpast_failure f join readpast_registration tried on tried.node = f.node
              where f.job_id = ?4 and f.kind = 'UNREADABLE' and tried.type = r.type
                and tried.shape is not distinct from r.shape))""";
  }

  /**
   * Records that no live node can read the payload of a job. Parameters: ?1 = node, ?2 = type, ?3 =
   * job.
   */
  public static String unreadable() {
    return "update readpast_registration set unreadable_job = ?3 where node = ?1 and type = ?2";
  }

  // Stored arguments have no names, so they fit only the parameters that the method had when the
  // job was enqueued.
  private static final String ARGUMENTS = "starts_with(%s.shape, '[')";

  /**
   * Finds types that ended nodes of an application handled and that no live node handles now.
   * Returns the columns (type, shape or null, the shape that is registered now or null, number of
   * jobs up to 10,000). If only the arguments of a method differ, only jobs that were enqueued
   * before the change are counted. Parameter: ?1 = application.
   */
  public static String takeUnhandled() {
    return """
        select type, shape, now_shape, (
          select count(*) from (
            select 1 from readpast_job j
            where j.type = f.type and j.state <> 'RUNNING' and (f.since is null or j.enqueued_at < f.since)
            limit %5$d) j)
        from (
          select g.type, g.shape, now.shape as now_shape, now.since
          from (
            select distinct type, shape from readpast_registration r where application = ?1 and not %1$s) g
          left join lateral (
            select l.shape, l.since from readpast_registration l where l.type = g.type and %2$s
            order by l.shape is distinct from g.shape limit 1) now on true
          where now.since is null or (%3$s and %4$s and now.shape <> g.shape)) f
        order by 1, 2"""
        .formatted(
            LIVE.formatted("r"),
            LIVE.formatted("l"),
            ARGUMENTS.formatted("g"),
            ARGUMENTS.formatted("now"),
            MOST_COUNTED);
  }

  /**
   * Deletes the registrations by ended nodes of an application, except the given ones. Parameters:
   * ?1 = application, ?2 = types, ?3 = shapes or nulls (arrays of equal length).
   */
  public static String forget() {
    return """
        delete from readpast_registration where (node, type) in (
          select r.node, r.type from readpast_registration r where r.application = ?1 and not %s
            and not exists (
              select 1 from unnest(cast(?2 as text[]), cast(?3 as text[])) u(type, shape)
              where u.type = r.type and u.shape is not distinct from r.shape)
          for update of r skip locked)"""
        .formatted(LIVE.formatted("r"));
  }
}
