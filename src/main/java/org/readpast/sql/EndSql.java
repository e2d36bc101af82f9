package org.readpast.sql;

/**
 * The end of jobs. A statement that ends leased jobs compares id, state and {@code claim_no}; of a
 * job that it does not return, the claim was lost to another.
 */
public final class EndSql {
  private EndSql() {}

  static final String RUNNING = "state = 'RUNNING'";

  // Whether somebody may wait for its end. A follower that is committed later sees it by itself; a
  // transaction that sees the past only cannot tell: asked once a statement.
  static final String AWAITED_BEYOND_GROUP =
      """
      (j.batch is not null or coalesce(j.waits_for, 'GROUP') <> 'GROUP'
        or exists (select 1 from readpast_predecessor p where p.predecessor_id = j.id)
        or (select current_setting('transaction_isolation') <> 'read committed'))""";
  private static final String AWAITED = "(j.group_key is not null or " + AWAITED_BEYOND_GROUP + ")";
  // Whoever has the next of its group as well goes on with that by itself.
  private static final String AWAITED_UNLESS_FOLLOWED =
      "(j.group_key is not null and not e_followed or " + AWAITED_BEYOND_GROUP + ") as awaited";

  // What is asked for of a job that ends with more than its going: to pass on whole rows takes
  // longer.
  private static final String COLUMNS =
      """
      id, enqueued_at, available_at, expires_at, claimed_at, claim_no, attempt, uncounted, crashes, max_attempts,
        owner, priority, state, queue, type, unique_key, correlation_id, properties, payload, batch, wave, group_key,
        group_holds, unsettled, content_type, enqueued_by, enqueuer_roles""";

  private static String kept(
      String startedAt, String node, String state, String result, String keep, String condition) {
    return " "
        + """
        kept as (
          insert into readpast_job_history (id, enqueued_at, available_at, expires_at, started_at, claim_no, attempt,
            uncounted, crashes, max_attempts, node, priority, state, queue, type, unique_key, correlation_id,
            properties, payload, batch, wave, group_key, group_holds, content_type, result,
            enqueued_by, enqueuer_roles, kept_until)
          select id, enqueued_at, available_at, expires_at, %1$s, claim_no, attempt,
            coalesce(uncounted, 0) + case when %3$s = 'DISCARDED' then 0 else coalesce(crashes, 0) end,
            coalesce(crashes, 0), max_attempts, %2$s, priority, %3$s, queue, type, unique_key, correlation_id,
            properties, case when %6$s > 0 then payload end, batch, wave, group_key, group_holds, content_type,
            cast(%5$s as json), enqueued_by, enqueuer_roles,
            clock_timestamp() + abs(%6$s) * interval '1 millisecond'
          from ended %4$s
        ),"""
            .formatted(startedAt, node, state, condition, result, keep);
  }

  // One row reports all jobs that are the same to those that wait for them.
  static String toldTogether(String state, String condition) {
    return " "
        + """
        told as (
          insert into readpast_settle (event, jobs, state, queue, group_key, group_holds, batch, wave, counted)
          select 'ENDED', array_agg(id), %s, queue, group_key, group_holds, batch, wave, not unsettled
          from ended where %s group by 3, 4, 5, 6, 7, 8, 9
        )"""
            .formatted(state, condition);
  }

  // What is asked for to tell those who may wait.
  private static final String TOLD = "id, queue, group_key, group_holds, batch, wave, unsettled";
  private static final String KEPT_ALIKE =
      kept("claimed_at", "owner", "'COMPLETED'", "null", "cast(?3 as bigint)", "");

  private static final String KEEP_WAITING =
      """
      coalesce(
        (select ms from unnest(cast(?4 as text[]), cast(?5 as bigint[])) of_type(name, ms) where name = split_part(ended.type, '@', 1)),
        (select ms from unnest(cast(?6 as text[]), cast(?7 as bigint[])) of_queue(name, ms) where name = ended.queue),
        cast(?8 as bigint))""";

  // What is sent for every job is put together once.
  private static final String COMPLETE_ALIKE = completeAlike("not " + AWAITED, "id", "", "false");
  private static final String COMPLETE_ALIKE_KEPT =
      completeAlike("not " + AWAITED, COLUMNS, KEPT_ALIKE, "false");
  private static final String COMPLETE_IN_BATCH = completeInBatch(TOLD, "");
  private static final String COMPLETE_IN_BATCH_KEPT = completeInBatch(COLUMNS, KEPT_ALIKE);
  private static final String END_LEASED =
      endMany(ended(", cast(?8 as boolean[])", ", e_followed", AWAITED_UNLESS_FOLLOWED));
  private static final String END_LEASED_PLAINLY = completeLeased();

  // By one look at the index for all of them, and, where nobody waits, no row that tells of an end:
  // that is half of what the ends of any other jobs take.
  private static String completeAlike(String which, String columns, String kept, String awaited) {
    return """
        with ended as (
          delete from readpast_job j
          where id = any(cast((select cast(?1 as bigint[])) as bigint[])) and claim_no = ?2 and\s"""
        + RUNNING
        + " and "
        + which
        + " returning "
        + columns
        + "),"
        + kept
        + """
         gone as (select array_agg(id) as ids from ended) select ids,\s"""
        + awaited
        + " from gone";
  }

  // Also one index scan. One row tells of all jobs of a wave, which is what others wait for. With
  // "batch is not null" the planner would read the index of all jobs in batches.
  private static String completeInBatch(String columns, String kept) {
    return completeAlike(
        "group_key is null and (batch is null) is false",
        columns,
        kept + toldTogether("'COMPLETED'", "true") + ",",
        "ids is not null");
  }

  private static String endMany(String ended) {
    return ended
        + keptAsSaid()
        + toldTogether("e_state", "awaited")
        + all("awaited")
        + " from ended";
  }

  private static String completeLeased() {
    return completed(", cast(?3 as boolean[])", ", e_followed", AWAITED_UNLESS_FOLLOWED)
        + toldTogether("e_state", "awaited")
        + all("awaited")
        + " from ended";
  }

  // One row for all: whoever reads rows pays for each.
  static String all(String awaited) {
    return " select array_agg(id), bool_or(" + awaited + ")";
  }

  // Gives back no more than is asked for next: to give back whole rows takes twice as long.
  static String completed(String array, String name, String more) {
    return """
        with ended as (
          delete from readpast_job j using unnest(cast(?1 as bigint[]), cast(?2 as int[])%s) as e(e_id, e_claim_no%s)
          where j.id = e_id and j.claim_no = e_claim_no and j."""
            .formatted(array, name)
        + RUNNING
        + " returning "
        + TOLD
        + ", 'COMPLETED' as e_state, "
        + more
        + "),";
  }

  static String ended(String array, String name, String more) {
    return """
        with ended as (
          delete from readpast_job j
          using unnest(cast(?1 as bigint[]), cast(?2 as int[]), cast(?3 as text[]), cast(?4 as bigint[]),
            cast(?6 as bigint[]), cast(?7 as text[])%s)
            as e(e_id, e_claim_no, e_state, e_started_at, e_keep, e_result%s)
          where j.id = e_id and j.claim_no = e_claim_no and j."""
            .formatted(array, name)
        + RUNNING
        + " returning "
        + COLUMNS
        + ", e_state, e_started_at, e_keep, e_result, "
        + more
        + "),";
  }

  static String keptAsSaid() {
    return kept(
        "timestamptz 'epoch' + e_started_at * interval '1 microsecond'",
        "cast(?5 as int)",
        "e_state",
        "e_result",
        "e_keep",
        "where e_keep <> 0");
  }

  /**
   * Ends COMPLETED jobs that were all leased by the same claim_no. 1: ids, 2: claim_no, 3: where
   * they are kept, for how many ms, negative: without their payload. Gives what {@link
   * #endLeased()} does.
   *
   * @param inBatch those that are in a batch and in no group, so that others wait for them; else
   *     those for whose end nobody can wait
   * @param kept whether they go to the history, without a result
   */
  public static String completeAlike(boolean inBatch, boolean kept) {
    return inBatch
        ? kept ? COMPLETE_IN_BATCH_KEPT : COMPLETE_IN_BATCH
        : kept ? COMPLETE_ALIKE_KEPT : COMPLETE_ALIKE;
  }

  /**
   * Ends leased jobs; arrays of equal length, but for the node. 1: ids, 2: claim_nos, 3: final
   * states, 4: started at (microseconds since 1970), 5: node, 6: for how many ms they are kept in
   * the history, 0: not at all, negative: without their payload, 7: results, 8: whether the next of
   * its group is leased with it. Gives one row (ids, whether another job may wait for the end of
   * one), nulls if none has ended.
   */
  public static String endLeased() {
    return END_LEASED;
  }

  /**
   * Ends COMPLETED jobs of which nothing is kept. 1: ids, 2: claim_nos, 3: whether the next of its
   * group is leased with it. Gives what {@link #endLeased()} does.
   */
  public static String endLeasedPlainly() {
    return END_LEASED_PLAINLY;
  }

  /**
   * Ends jobs that nobody works. 1: ids, 2: final state, 3: states they may be in, 4: types and 5:
   * for how many ms their jobs are kept (arrays of equal length), 6: queues and 7: the same, 8: and
   * all others. Gives (id, whether somebody may wait for its end, queue, type, attempt, unique key,
   * correlation id, who enqueued it, state before, priority, position or null, group, batch,
   * properties).
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
        + kept("claimed_at", "cast(null as int)", "cast(?2 as text)", "null", KEEP_WAITING, "")
        + toldTogether("cast(?2 as text)", "awaited")
        + " select id, awaited, queue, type, attempt, unique_key, correlation_id, enqueued_by, state, priority, position, group_key,"
        + " batch, cast(properties as text) from ended";
  }
}
