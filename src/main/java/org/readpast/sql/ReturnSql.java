package org.readpast.sql;

/**
 * Jobs that go back to where they wait. As in {@link EndSql}, a row that a statement does not give
 * back was lost to somebody else.
 */
public final class ReturnSql {
  private ReturnSql() {}

  // What was leased as the next of its group may have others of it before it: it waits for its turn
  // again, and who settles says which of them goes first.
  private static final String NEXT = "j.waits_for = 'GROUP'";

  private static final String FREE =
      "owner = null, deadline = null, cautious = false, alone = false";

  private static final String GIVE_BACK =
      returned(
          """
          state = case when %1$s then 'BLOCKED' else 'AVAILABLE' end,
            position = case when %1$s then null else nextval('readpast_position') end,
            waits_for = case when %1$s then 'GROUP' end,
            claim_no = j.claim_no + 1, attempt = attempt - 1, claimed_at = null"""
              .formatted(NEXT),
          "unnest(cast(?1 as bigint[]), cast(?2 as int[])) as e(e_id, e_claim_no)",
          "id");

  private static final String RELEASE =
      returned(
          """
          state = case when %1$s then 'BLOCKED' when pause > 0 then 'SCHEDULED' else 'AVAILABLE' end,
            position = case when %1$s or pause > 0 then null else nextval('readpast_position') end,
            waits_for = case when %1$s then 'GROUP' end,
            available_at = clock_timestamp() + pause * interval '1 millisecond',
            claim_no = j.claim_no + 1, crashes = coalesce(crashes, 0) + crash,
            uncounted = coalesce(uncounted, 0) + free"""
              .formatted(NEXT),
          """
          unnest(cast(?1 as bigint[]), cast(?2 as int[]), cast(?3 as int[]), cast(?4 as int[]), cast(?5 as bigint[]))
            as e(e_id, e_claim_no, crash, free, pause)""",
          "queue");

  private static String returned(String changes, String which, String column) {
    return """
        with given as (
          update readpast_job j set %s, %s
          from %s
          where j.id = e_id and j.claim_no = e_claim_no and j.state = 'RUNNING'
          returning j.id, j.queue, j.group_key, j.waits_for
        ), looked as (
          insert into readpast_settle (event, queue, group_key)
          select distinct 'LOOK', queue, group_key from given where waits_for = 'GROUP'
        ) select %s, waits_for is not null from given"""
        .formatted(changes, FREE, which, column);
  }

  /**
   * Puts a leased job back for another attempt. 1: id, 2: claim_no, 3: pause in ms (0: at once), 4:
   * attempts to leave uncounted (0 or 1). Gives (id).
   */
  public static String retryLeased() {
    return retry("RUNNING", 0);
  }

  /**
   * The same for a job whose work transaction was rolled back; counts the attempt that it never
   * showed.
   */
  public static String retryTaken() {
    return retry("AVAILABLE", 1);
  }

  private static String retry(String state, int attempts) {
    return """
        update readpast_job set
          state = case when cast(?3 as bigint) > 0 then 'SCHEDULED' else 'AVAILABLE' end,
          position = case when cast(?3 as bigint) > 0 then null else nextval('readpast_position') end,
          available_at = clock_timestamp() + cast(?3 as bigint) * interval '1 millisecond', waits_for = null,
          claim_no = claim_no + 1, attempt = attempt + %d,
          uncounted = coalesce(uncounted, 0) + cast(?4 as int), %s
        where id = ?1 and claim_no = ?2 and state = '%s' returning id"""
        .formatted(attempts, FREE, state);
  }

  /**
   * Gives leased jobs back as if never claimed. 1: ids, 2: claim_nos. Gives (id, whether it waits
   * for its turn in its group again).
   */
  public static String giveBack() {
    return GIVE_BACK;
  }

  /**
   * Frees lost claims; arrays of equal length. 1: ids, 2: claim_nos, 3: whether the crash counts as
   * one (0 or 1), 4: attempts to leave uncounted, 5: pause in ms. Gives (queue, whether it waits
   * for its turn in its group again).
   */
  public static String release() {
    return RELEASE;
  }
}
