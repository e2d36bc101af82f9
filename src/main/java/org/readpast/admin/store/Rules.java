package org.readpast.admin.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.RuleSql;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.QueueScope;
import org.readpast.model.Rule;

/** Stores the definitions of rules, in the current transaction. */
public final class Rules {
  private final Transactions transactions;

  public Rules(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Describes a rule as it is stored.
   *
   * @param declared true if configuration has declared the rule
   * @param declaredBy the owner whose configuration declared the rule last, or null if there is
   *     none or it is not known
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
   * Creates or replaces a rule.
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
    return Boolean.TRUE.equals(isNew);
  }

  /**
   * Deletes a rule and the reports of its runs; a current run ends. Returns true if the rule
   * existed.
   */
  public boolean delete(String name) {
    if (Sql.first(transactions.entityManager(), RuleSql.delete(), row -> true, name) == null) {
      return false;
    }
    Sql.change(transactions.entityManager(), RuleSql.deleteFound(), name);
    Sql.change(transactions.entityManager(), RuleSql.deleteRuns(), name);
    return true;
  }
}
