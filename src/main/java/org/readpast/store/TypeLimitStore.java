package org.readpast.store;

import jakarta.persistence.EntityManager;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.readpast.sql.TypeLimitSql;

/** The limits of job types over all nodes, by names without a version. */
public final class TypeLimitStore {
  private final Transactions transactions;

  public TypeLimitStore(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * What limits the jobs of a name.
   *
   * @param type whose limit they count under: the name itself, or the type that it is an alias of
   * @param most jobs at a time
   */
  public record TypeLimit(String name, String type, int most) {}

  /** Stores limits, so that they hold on engines without this configuration too. */
  public void configure(Map<String, Integer> limits) {
    if (!limits.isEmpty()) {
      Sql.change(
          transactions.entityManager(),
          TypeLimitSql.configure(),
          limits.keySet().toArray(String[]::new),
          limits.values().toArray(Integer[]::new));
    }
  }

  /** Forgets aliases of types that a node handles which it does not know: others stay. */
  public void forgetAliases(Collection<String> types, Collection<String> aliases) {
    Sql.change(
        transactions.entityManager(),
        TypeLimitSql.forgetAliases(),
        types.toArray(String[]::new),
        aliases.toArray(String[]::new));
  }

  /** Returns the limit of each name that has one. */
  public List<TypeLimit> all() {
    return Sql.rows(
        transactions.entityManager(),
        TypeLimitSql.all(),
        row -> new TypeLimit(row.text(0), row.text(1), row.integer(2)));
  }

  /**
   * Limits that are locked until the current transaction ends.
   *
   * @param types of all of them
   * @param below those that have fewer jobs leased than they allow
   */
  record Locked(List<String> types, Set<String> below) {}

  /** Locks the limits of types, but for those that another transaction has locked. */
  Locked lock(Collection<String> types) {
    EntityManager em = transactions.entityManager();
    List<String> locked =
        Sql.rows(
            em, TypeLimitSql.lock(), row -> row.text(0), (Object) types.toArray(String[]::new));
    List<String> below =
        locked.isEmpty()
            ? List.of()
            : Sql.rows(
                em,
                TypeLimitSql.belowLimit(),
                row -> row.text(0),
                (Object) locked.toArray(String[]::new));
    return new Locked(locked, Set.copyOf(below));
  }

  /** Has a lease count under the limit of a type. */
  void count(long lease, String type) {
    Sql.change(transactions.entityManager(), TypeLimitSql.count(), lease, type);
  }
}
