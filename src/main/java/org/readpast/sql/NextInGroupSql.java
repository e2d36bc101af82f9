package org.readpast.sql;

/** Contains the statements that end jobs of groups and lease the next jobs of the same groups. */
public final class NextInGroupSql {
  private NextInGroupSql() {}

  // The statements below are built only once, because they are sent for every job.
  private static final String END_AND_LEASE =
      endAndLease(
          EndSql.ended("", "", EndSql.AWAITED_BEYOND_GROUP + " as awaited_beyond"),
          EndSql.keptByParameters(),
          "cast(?8 as int)",
          "?9",
          "?10",
          "?11",
          "?12");
  private static final String END_AND_LEASE_WITHOUT_HISTORY =
      endAndLease(
          EndSql.completed(
              "", "", "type, priority, " + EndSql.AWAITED_BEYOND_GROUP + " as awaited_beyond"),
          "",
          "cast(?3 as int)",
          "?4",
          "?5",
          "?6",
          "?7");

  private static String firstOfGroup(String upTo, String most) {
    return """
        array(select ctid from readpast_job where queue = e.queue and group_key = e.group_key and waits_for = 'GROUP'
            and state = 'BLOCKED' and queue between e.queue and e.queue and id between (select 0) and %s
          order by id limit (case when e.group_holds then 1 else cast(%s as int) end))"""
        .formatted(upTo, most);
  }

  // The next jobs of a group are those that DependencySql.releaseGroups would release after the
  // ended job, if no other job of the group is live. Only a group that has its own concurrency
  // limit can have another live job. Until the leased jobs end, the resolver sees that a job of the
  // group is live, and releases no other. The column waits_for of the leased jobs keeps the value
  // 'GROUP', so that no index is written. A job that the resolver has not registered yet, or that
  // another transaction has locked, is left to the resolver together with all later jobs. If
  // discarded jobs hold their group, only one job is leased at a time. To find the first jobs of a
  // long group, the index scan reads a page full of other jobs. The first search therefore starts
  // near the ended job, but not too near, because thousands of groups may take turns. Without
  // "offset 0", PostgreSQL would run the search twice. If the statement compared waits_for
  // directly, the planner would search an index that it expects to be empty.
  private static String endAndLease(
      String ended,
      String kept,
      String node,
      String allowed,
      String emptyLease,
      String most,
      String bytes) {
    return ended
        + """
         following as materialized (
          select id, place, queue from (
            select n.id, n.ctid as place, e.queue, array_position(first.places, n.ctid) as no,
              row_number() over (partition by e.id order by n.id) as locked, sum(n.bytes) over (order by n.id) as total
            from ended e
            cross join lateral (select coalesce(nullif(%3$s, '{}'), nullif(%4$s, '{}'), %5$s) as places offset 0) first
            cross join lateral (
              select id, ctid, octet_length(cast(payload as text)) + coalesce(octet_length(cast(properties as text)), 0) as bytes
              from readpast_job
              where ctid = any(first.places) and waits_for || '' = 'GROUP' and state = 'BLOCKED' and type = e.type
                and priority = e.priority and batch is null and not unseen and %8$s
              for update skip locked) n
            where e.group_key is not null and e.e_state = 'COMPLETED'
              and not exists (select 1 from readpast_dependency_event where event = 'ENDED' and state = 'DISCARDED' and group_holds)
              and not exists (select 1 from readpast_hold h where h.queue = e.queue and h.group_key = e.group_key)
              and not exists (select 1 from readpast_group own where own.queue = e.queue and own.key = e.group_key)
          ) found where no = locked and total <= cast(%7$s as bigint)
        ), deleted as (
          delete from readpast_lease where id = cast(%6$s as bigint)
        ), lease as (
          insert into readpast_lease (node, queue, jobs, deadline, of_groups)
          select %1$s, min(queue), array_agg(id order by id), clock_timestamp() + cast(%2$s as bigint) * interval '1 millisecond',
            true
          from following having count(*) > 0 returning id
        ), leased as (
          update readpast_job set
        """
            .formatted(
                node,
                allowed,
                firstOfGroup("e.id + 5000", most),
                firstOfGroup("e.id + 40000", most),
                firstOfGroup(ClaimSql.LAST_ID, most),
                emptyLease,
                bytes,
                WaitingSql.DUE)
        + ClaimSql.running(node, allowed)
        + " where ctid = any(array(select place from following)) returning "
        + ClaimSql.LEASED
        + ", group_key as of_group),"
        + kept
        + EndSql.reportEnds(
            "e_state",
            "awaited_beyond or group_key is not null and not exists ("
                + "select 1 from leased where of_group = ended.group_key)")
        + EndSql.all("awaited_beyond or group_key is not null and of_group is null")
        + ", "
        + ClaimSql.ALL_LEASED
        + ", array_agg(id) filter (where numbers is not null)"
        + " from ended left join leased on of_group = group_key";
  }

  /**
   * Ends jobs of one queue like {@link EndSql#endLeased()}, without its parameter ?8. Also leases,
   * like {@link ClaimSql#lease()}, the next jobs of each group whose only live job succeeds here,
   * if they have the same type and priority. Returns one row (ids, true if another job may wait for
   * one of the ended jobs, numbers and strings of the leased jobs, for each of them the id of the
   * ended job that it follows). An ended job that several leased jobs follow is repeated in ids.
   * Parameters: ?1 to ?7 = those of {@link EndSql#endLeased()}, ?8 = node, ?9 = time in ms that the
   * node allows each job, ?10 = lease to delete because it has no jobs left after this statement,
   * or null, ?11 = maximum number of jobs for each group, ?12 = maximum bytes.
   */
  public static String endAndLeaseNext() {
    return END_AND_LEASE;
  }

  /**
   * Ends COMPLETED jobs that are not kept in the history, and leases the next jobs of their groups,
   * like {@link #endAndLeaseNext()}. Parameters: ?1 = ids, ?2 = claim_nos, ?3 = node, ?4 = time in
   * ms that the node allows each job, ?5 = a lease or null, ?6 = maximum number of jobs for each
   * group, ?7 = maximum bytes.
   */
  public static String endAndLeaseNextWithoutHistory() {
    return END_AND_LEASE_WITHOUT_HISTORY;
  }
}
