package org.readpast.admin.sql;

/** Holds the statements on the audit. */
public final class AuditSql {
  private AuditSql() {}

  /**
   * Adds an entry to the audit. Returns the column (id). Parameters: ?1 = user, ?2 = action, ?3 =
   * target or null, ?4 = detail as JSON, ?5 = queues that the change concerns or null, ?6 = job
   * whose queue the change concerns or null.
   */
  public static String add() {
    return """
        insert into readpast_audit (who, action, target, detail, queues)
        values (?1, ?2, cast(?3 as text), cast(?4 as json), coalesce(cast(?5 as text[]), (
          select array[queue] from readpast_job where id = cast(?6 as bigint)
          union all
          select array[queue] from readpast_job_history where id = cast(?6 as bigint)
          limit 1))) returning id""";
  }

  /** Replaces the detail of an audit entry. Parameters: ?1 = id, ?2 = detail as JSON. */
  public static String amend() {
    return "update readpast_audit set detail = cast(?2 as json) where id = ?1";
  }

  // If the entry of a cursor has been pruned, all older entries have been pruned, too.
  private static final String PAGE =
      """
      select id, at, who, action, target, cast(detail as text) from readpast_audit
      where (at, id) < (
          coalesce((select at from readpast_audit where id = cast(?1 as bigint)),
            case when cast(?1 as bigint) is null then timestamptz 'infinity' else '-infinity' end),
          coalesce(cast(?1 as bigint), 0))
        and at >= coalesce(cast(?2 as timestamptz), '-infinity') and at < coalesce(cast(?3 as timestamptz), 'infinity')
        and (cast(?4 as text) is null or who = cast(?4 as text))
        and (cast(?5 as text) is null or action = cast(?5 as text) or starts_with(action, cast(?5 as text) || '.'))
        and (case when not cast(?8 as boolean) then queues <@ cast(?7 as text[]) and queues <> '{}'
          when cast(?7 as text[]) = '{}' then true
          else not queues && cast(?7 as text[]) end)
        %s
      order by at desc, id desc limit ?6""";

  /**
   * Returns audit entries (id, at, user, action, target, detail), newest first. If some queues are
   * hidden, entries that concern them are omitted. Parameters: ?1 = id of the entry before which to
   * continue or null, ?2 = earliest time or null, ?3 = end of the time span (exclusive) or null, ?4
   * = user or null, ?5 = action, or its part before a dot, or null, ?6 = maximum number, ?7 and ?8
   * = the visible queues (see {@link ScopeSql}).
   */
  public static String page() {
    return PAGE.formatted("");
  }

  // The statements are separate, because a single plan for all would not use the indexes on these
  // columns.

  /** Returns audit entries of a target. Parameters: those of {@link #page()}, ?9 = target. */
  public static String pageOfTarget() {
    return PAGE.formatted("and target = ?9");
  }

  /** Returns audit entries of a user. Parameters: those of {@link #page()}, ?9 = user. */
  public static String pageOfWho() {
    return PAGE.formatted("and who = ?9");
  }

  /**
   * Returns audit entries of one action. Parameters: those of {@link #page()}, ?9 = complete name
   * of the action.
   */
  public static String pageOfAction() {
    return PAGE.formatted("and action = ?9");
  }
}
