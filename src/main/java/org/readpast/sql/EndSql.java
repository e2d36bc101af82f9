package org.readpast.sql;

/**
 * Contains the statements that end jobs. A statement that ends leased jobs compares id, state and
 * {@code claim_no}. If the statement does not return a job, its claim no longer owned the job.
 */
public final class EndSql {
  private EndSql() {}

  // True if a job other than the next job of the group may be waiting for this job to end. A
  // follower that is committed later sees that this job has ended. At an isolation level above READ
  // COMMITTED, the transaction may not see all followers, so the condition is then always true. The
  // isolation level is read in a subquery, so that it is read only once per statement.
  static final String AWAITED_BEYOND_GROUP =
      """
      (j.batch is not null or coalesce(j.waits_for, 'GROUP') <> 'GROUP'
        or exists (select 1 from readpast_predecessor p where p.predecessor_id = j.id)
        or (select current_setting('transaction_isolation') <> 'read committed'))""";
  private static final String AWAITED = "(j.group_key is not null or " + AWAITED_BEYOND_GROUP + ")";
  // If the statement also leases the next job of the group, the dependency resolver need not
  // release that job.
  private static final String AWAITED_UNLESS_CONTINUED =
      "(j.group_key is not null and not e_followed or " + AWAITED_BEYOND_GROUP + ") as awaited";

  // The history and the event of an ended job need these columns. Passing on whole rows would take
  // longer.
  private static final String COLUMNS =
      """
      id, enqueued_at, available_at, expires_at, claimed_at, claim_no, attempt, uncounted, crashes, max_attempts,
        owner, priority, state, queue, type, unique_key, correlation_id, properties, payload, batch, wave, group_key,
        group_holds, unseen, content_type, enqueued_by, enqueuer_roles""";

  private static String toHistory(
      String startedAt, String attempt, String node, String state, String result, String keep) {
    return """
        insert into readpast_job_history (id, enqueued_at, available_at, expires_at, started_at, claim_no, attempt,
          uncounted, crashes, max_attempts, node, priority, state, queue, type, unique_key, correlation_id,
          properties, payload, batch, wave, group_key, group_holds, content_type, result,
          enqueued_by, enqueuer_roles, kept_until)
        select id, enqueued_at, available_at, expires_at, %1$s, claim_no, %2$s,
          coalesce(uncounted, 0) + case when %4$s = 'DISCARDED' then 0 else coalesce(crashes, 0) end,
          coalesce(crashes, 0), max_attempts, %3$s, priority, %4$s, queue, type, unique_key, correlation_id,
          properties, case when %6$s > 0 then payload end, batch, wave, group_key, group_holds, content_type,
          cast(%5$s as json), enqueued_by, enqueuer_roles,
          clock_timestamp() + abs(%6$s) * interval '1 millisecond'
        from ended"""
        .formatted(startedAt, attempt, node, state, result, keep);
  }

  // Jobs that have the same values in all columns that matter to waiting jobs share one row.
  static String reportEnds(String state, String condition) {
    return " "
        + """
        reported as (
          insert into readpast_dependency_event (event, jobs, state, queue, group_key, group_holds, batch, wave, counted)
          select 'ENDED', array_agg(id), %s, queue, group_key, group_holds, batch, wave, not unseen
          from ended where %s group by 3, 4, 5, 6, 7, 8, 9
        )"""
            .formatted(state, condition);
  }

  // The columns that reportEnds uses.
  private static final String REPORTED_COLUMNS =
      "id, queue, group_key, group_holds, batch, wave, unseen";

  private static final String KEEP_WAITING =
      """
      coalesce(
        (select ms from unnest(cast(?4 as text[]), cast(?5 as bigint[])) of_type(name, ms) where name = split_part(ended.type, '@', 1)),
        (select ms from unnest(cast(?6 as text[]), cast(?7 as bigint[])) of_queue(name, ms) where name = ended.queue),
        cast(?8 as bigint))""";

  // The statements below are built only once, because they are sent for every job.
  private static final String COMPLETED_TO_HISTORY =
      toHistory("claimed_at", "attempt", "owner", "'COMPLETED'", "null", "cast(?3 as bigint)");
  private static final String COMPLETE_ONE = completeOne("");
  private static final String COMPLETE_ONE_KEPT =
      "with ended as (" + completeOne(" returning " + COLUMNS) + ") " + COMPLETED_TO_HISTORY;
  private static final String COMPLETE_ALIKE = completeAlike(REPORTED_COLUMNS, "");
  private static final String COMPLETE_ALIKE_KEPT =
      completeAlike(COLUMNS, " kept as (" + COMPLETED_TO_HISTORY + "),");
  private static final String END_LEASED =
      endMany(
          ended(", cast(?8 as boolean[])", ", e_followed", AWAITED_UNLESS_CONTINUED)
              + keptByParameters(),
          "e_state",
          "awaited");
  private static final String END_LEASED_WITHOUT_HISTORY =
      endMany(
          completed(", cast(?3 as boolean[])", ", e_followed", AWAITED_UNLESS_CONTINUED),
          "e_state",
          "awaited");

  private static String completeOne(String returned) {
    return "delete from readpast_job j where id = ?1 and claim_no = ?2 and state = 'RUNNING' and not "
        + AWAITED
        + returned;
  }

  // All jobs are found in one index scan. Jobs that are alike take half as long as others. One
  // event reports all jobs of a wave, because other jobs wait for the whole wave. The condition is
  // not written as "batch is not null", which would make the planner read the index of all jobs in
  // batches.
  private static String completeAlike(String columns, String kept) {
    return endMany(
        """
        with ended as (
          delete from readpast_job j
          where id = any(cast((select cast(?1 as bigint[])) as bigint[])) and claim_no = ?2 and state = 'RUNNING'
            and group_key is null and ((batch is null) is false or not %s) returning %s),%s"""
            .formatted(AWAITED, columns, kept),
        "'COMPLETED'",
        "batch is not null");
  }

  private static String endMany(String ended, String state, String awaited) {
    return ended + reportEnds(state, awaited) + all(awaited) + " from ended";
  }

  // All jobs are returned in one row, because each row takes time to read.
  static String all(String awaited) {
    return " select array_agg(id), bool_or(" + awaited + ")";
  }

  // Only the required columns are returned. Returning whole rows takes twice as long.
  static String completed(String array, String name, String more) {
    return """
        with ended as (
          delete from readpast_job j using unnest(cast(?1 as bigint[]), cast(?2 as int[])%s) as e(e_id, e_claim_no%s)
          where j.id = e_id and j.claim_no = e_claim_no and j.state = 'RUNNING'
          returning %s, 'COMPLETED' as e_state, %s),"""
        .formatted(array, name, REPORTED_COLUMNS, more);
  }

  static String ended(String array, String name, String more) {
    return """
        with ended as (
          delete from readpast_job j
          using unnest(cast(?1 as bigint[]), cast(?2 as int[]), cast(?3 as text[]), cast(?4 as bigint[]),
            cast(?6 as bigint[]), cast(?7 as text[])%s)
            as e(e_id, e_claim_no, e_state, e_started_at, e_keep, e_result%s)
          where j.id = e_id and j.claim_no = e_claim_no and j.state = 'RUNNING'
          returning %s, e_state, e_started_at, e_keep, e_result, %s),"""
        .formatted(array, name, COLUMNS, more);
  }

  static String keptByParameters() {
    return " kept as ("
        + toHistory(
            "timestamptz 'epoch' + e_started_at * interval '1 microsecond'",
            "attempt - cast(e_started_at is null as int)",
            "cast(?5 as int)",
            "e_state",
            "e_result",
            "e_keep")
        + " where e_keep <> 0),";
  }

  /**
   * Ends a COMPLETED job in half the time of {@link #completeAlike}. Changes no row if its claim no
   * longer owned it, if it is in a group or batch, or if another job may wait for its end.
   * Parameters: ?1 = id, ?2 and ?3 = those of {@link #completeAlike}.
   *
   * @param kept true to move the job to the history, without a result
   */
  public static String completeOne(boolean kept) {
    return kept ? COMPLETE_ONE_KEPT : COMPLETE_ONE;
  }

  /**
   * Ends COMPLETED jobs that were all leased with the same claim_no, and that are in no group. A
   * job that is in no batch, but for whose end another job may wait, does not end. Returns the
   * columns of {@link #endLeased()}. Parameters: ?1 = ids, ?2 = claim_no; only if the jobs are
   * kept: ?3 = time in ms, negative to keep them without their payload.
   *
   * @param kept true to move the jobs to the history, without a result
   */
  public static String completeAlike(boolean kept) {
    return kept ? COMPLETE_ALIKE_KEPT : COMPLETE_ALIKE;
  }

  /**
   * Ends leased jobs. Returns one row (ids, true if another job may wait for one of the ended
   * jobs), or nulls if no job has ended. Parameters: ?1 = ids, ?2 = claim_nos, ?3 = final states,
   * ?4 = start times in microseconds since 1970 (null: no attempt), ?5 = node, ?6 = time in ms for
   * which jobs are kept in the history (0 to delete them, negative to keep them without their
   * payload), ?7 = results, ?8 = true if the next job of the group was leased with the job; all
   * except ?5 are arrays of equal length.
   */
  public static String endLeased() {
    return END_LEASED;
  }

  /**
   * Ends COMPLETED jobs that are not kept in the history. Returns the columns of {@link
   * #endLeased()}. Parameters: arrays of equal length: ?1 = ids, ?2 = claim_nos, ?3 = true if the
   * next job of the group was leased with the job.
   */
  public static String endLeasedWithoutHistory() {
    return END_LEASED_WITHOUT_HISTORY;
  }

  /**
   * Ends jobs that are not running. Returns the columns (id, true if another job may wait for the
   * end, queue, type, attempt, unique key, correlation id, enqueuer, state before, priority,
   * position or null, group, batch, properties). Parameters: ?1 = ids, ?2 = final state, ?3 =
   * states in which jobs are ended, ?4 = types and ?5 = times in ms for which their jobs are kept
   * (arrays of equal length), ?6 = queues and ?7 = times in ms for which their jobs are kept
   * (arrays of equal length), ?8 = time in ms for which all other jobs are kept.
   */
  public static String endWaiting() {
    return """
        with ended as (
          delete from readpast_job j where id = any(cast(?1 as bigint[])) and state = any(cast(?3 as text[]))
          returning\s"""
        + COLUMNS
        + ", position, "
        + AWAITED
        + " as awaited),"
        + " kept as ("
        + toHistory(
            "claimed_at", "attempt", "cast(null as int)", "cast(?2 as text)", "null", KEEP_WAITING)
        + "),"
        + reportEnds("cast(?2 as text)", "awaited")
        + " select id, awaited, queue, type, attempt, unique_key, correlation_id, enqueued_by, state, priority, position, group_key,"
        + " batch, cast(properties as text) from ended";
  }
}
