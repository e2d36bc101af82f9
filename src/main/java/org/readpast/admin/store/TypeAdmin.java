package org.readpast.admin.store;

import org.jspecify.annotations.Nullable;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.sql.TypeLimitSql;
import org.readpast.store.TypeLimitStore;

/** Executes operators' changes to job types, in the current transaction. */
public final class TypeAdmin {
  private final Transactions transactions;
  private final TypeLimitStore limits;

  public TypeAdmin(Transactions transactions) {
    this.transactions = transactions;
    this.limits = new TypeLimitStore(transactions);
  }

  /**
   * Holds a job type and its limit across all nodes.
   *
   * @param most the maximum number of concurrent jobs, or null if there is no limit
   */
  public record Limit(String type, @Nullable Integer most) {}

  /**
   * Returns the type whose limits apply to jobs of a name: the name itself, or the type of which it
   * is an alias; null if no engine has ever registered the name.
   */
  public @Nullable String typeOf(String name) {
    return Sql.first(transactions.entityManager(), TypeLimitSql.typeOf(), row -> row.text(0), name);
  }

  /**
   * Locks the limit of a type until the end of the transaction, and returns the limit that
   * operators have set, or null if there is none.
   */
  public @Nullable Integer lock(String type) {
    return Sql.rows(
            transactions.entityManager(),
            TypeLimitSql.lockOrInsert(),
            row -> new Limit(type, row.integerOrNull(0)),
            type)
        .get(0)
        .most();
  }

  /** Sets the limit of a type that is locked; null means that the configured limit applies. */
  public void change(String type, @Nullable Integer most) {
    Sql.change(transactions.entityManager(), TypeLimitSql.change(), type, most);
  }

  /** Returns the limit that applies, or null if there is none. */
  public @Nullable Integer limit(String type) {
    return limits.all().stream()
        .filter(limit -> limit.name().equals(type))
        .map(TypeLimitStore.TypeLimit::most)
        .findFirst()
        .orElse(null);
  }
}
