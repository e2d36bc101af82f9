package org.readpast.admin.sql;

/** Holds the statements on the audit. */
public final class AuditSql {
  private AuditSql() {}

  /**
   * 1: user, 2: action, 3: target or null, 4: detail as JSON, 5: the queues that it concerns or
   * null, 6: a job whose queue it concerns or null. Gives (id).
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

  /** 1: id, 2: detail as JSON. Replaces the detail. */
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
   * 1: entries before this one or null, 2: from this moment or null, 3: before this moment or null,
   * 4: user or null, 5: action, or the part of one before a dot, or null, 6: maximum number, 7 and
   * 8: the visible queues, as {@link ScopeSql}: if some queues are hidden, only entries that
   * concern none of those. Gives (id, at, user, action, target, detail), newest first.
   */
  public static String page() {
    return PAGE.formatted("");
  }

  // The statements are separate, because a single plan for all would not use the indexes on these
  // columns.

  /** Takes the parameters of {@link #page()} and 9: target. */
  public static String pageOfTarget() {
    return PAGE.formatted("and target = ?9");
  }

  /** Takes the parameters of {@link #page()} and 9: user. */
  public static String pageOfWho() {
    return PAGE.formatted("and who = ?9");
  }

  /** Takes the parameters of {@link #page()} and 9: a complete action. */
  public static String pageOfAction() {
    return PAGE.formatted("and action = ?9");
  }
}
