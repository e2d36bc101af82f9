package org.readpast.admin.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.RuleSql;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.QueueScope;
import org.readpast.model.Rule;
import org.readpast.schedule.DeclaredRules;
import org.readpast.schedule.Schedules.Owned;

/** Stores the definitions of rules, in the current transaction. */
public final class Rules implements DeclaredRules {
  private final Transactions transactions;
  private final ScheduleAdmin schedules;

  public Rules(Transactions transactions) {
    this.transactions = transactions;
    this.schedules = new ScheduleAdmin(transactions, QueueScope.ALL);
  }

  /**
   * Describes a rule as it is stored.
   *
   * @param declared true if the configuration of a live node declares the rule
   * @param declaredBy the owner whose configuration declared the rule, or null if there is none
   */
  public record Stored(
      Rule rule, boolean declared, Instant changedAt, @Nullable String declaredBy) {
    static Stored read(Row row) {
      return new Stored(
          new Rule(
              row.text(0),
              row.text(1),
              row.textOrNull(2),
              row.text(3),
              row.text(4),
              row.integer(5),
              row.textOrNull(6),
              row.textOrNull(7),
              row.flag(8)),
          row.flag(9),
          row.moment(10),
          row.textOrNull(11));
    }
  }

  /** Returns every rule that creates jobs in visible queues, ordered by name. */
  public List<Stored> all(QueueScope seen) {
    return Sql.rows(
        transactions.entityManager(), RuleSql.rules(), Stored::read, seen.names(), seen.others());
  }

  /** Returns a rule that creates jobs in a visible queue, or null if it does not exist. */
  public @Nullable Stored find(String name, QueueScope seen) {
    return Sql.first(
        transactions.entityManager(),
        RuleSql.rule(),
        Stored::read,
        name,
        seen.names(),
        seen.others());
  }

  /** Locks a rule and returns it, or null if it does not exist. */
  public @Nullable Stored lock(String name) {
    return Sql.first(transactions.entityManager(), RuleSql.lock(), Stored::read, name);
  }

  /**
   * Creates or replaces a rule; if it has no schedule, deletes the schedule that it had before.
   *
   * @param declaredBy the owner whose configuration declares the rule, or null if an operator
   *     defines it
   * @return true if the rule is new
   */
  public boolean put(Rule rule, @Nullable String declaredBy) {
    Boolean isNew =
        Sql.first(
            transactions.entityManager(),
            RuleSql.put(),
            row -> row.flag(0),
            rule.name(),
            rule.search(),
            rule.dataSource(),
            rule.type(),
            rule.queue(),
            rule.priority(),
            rule.computation(),
            rule.schedule(),
            rule.enabled(),
            declaredBy != null,
            declaredBy);
    if (rule.schedule() == null) {
      schedules.delete(Rule.scheduleName(rule.name()));
    }
    return Boolean.TRUE.equals(isNew);
  }

  @Override
  public boolean apply(Rule rule, String owner) {
    Stored now = find(rule.name(), QueueScope.ALL);
    boolean changed = now == null || !now.rule().equals(rule) || !owner.equals(now.declaredBy());
    if (changed) {
      put(rule, owner);
    }
    return changed;
  }

  @Override
  public List<Owned> withdraw(Duration undeclared) {
    List<Owned> gone =
        Sql.rows(
            transactions.entityManager(),
            RuleSql.lockUndeclared(),
            row -> new Owned(row.text(0), row.text(1)),
            undeclared.toMillis());
    gone.forEach(one -> delete(one.name()));
    return gone;
  }

  /**
   * Deletes a rule, its schedule and the reports of its runs; a current run ends. Returns true if
   * the rule existed.
   */
  public boolean delete(String name) {
    if (Sql.first(transactions.entityManager(), RuleSql.delete(), row -> true, name) == null) {
      return false;
    }
    schedules.delete(Rule.scheduleName(name));
    Sql.change(transactions.entityManager(), RuleSql.deleteFound(), name);
    Sql.change(transactions.entityManager(), RuleSql.deleteRuns(), name);
    return true;
  }
}
