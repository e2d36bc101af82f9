package org.readpast.store;

import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
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
   * Where jobs may be claimed under limits, which are locked until the current transaction ends.
   *
   * @param parts lanes that are claimed from one part after the other, until jobs are found: each
   *     lane of a limited type is a part of its own
   */
  record OpenLanes(List<List<Lane>> parts, PassedBy passedBy) {}

  /**
   * Types of which no job may be claimed.
   *
   * @param reached their limits allow no more jobs
   * @param locked their limits are locked by other transactions
   */
  public record PassedBy(Set<String> reached, Set<String> locked) {
    static final PassedBy NONE = new PassedBy(Set.of(), Set.of());

    /** Returns all of them. */
    public Set<String> all() {
      Set<String> all = new HashSet<>(reached);
      all.addAll(locked);
      return all;
    }
  }

  /**
   * Locks the limits of those types that lanes of a queue have jobs of, but for limits that other
   * transactions have locked, and gives the lanes that jobs may be claimed from.
   *
   * @param limited types, as they are stored, with the type whose limit their jobs count under
   */
  OpenLanes open(String queue, List<Lane> lanes, Map<String, String> limited) {
    // Most queues have no job of a limited type at most times: they are not to keep the others from
    // counting.
    Set<Lane> withJobs =
        withJobs(queue, lanes.stream().filter(lane -> limited.containsKey(lane.type())).toList());
    Set<String> names = new HashSet<>();
    withJobs.forEach(lane -> names.add(limited.getOrDefault(lane.type(), "")));
    Locked locked = names.isEmpty() ? new Locked(List.of(), Set.of()) : lock(names);
    List<List<Lane>> parts = new ArrayList<>();
    boolean together = false;
    for (Lane lane : lanes) {
      String limit = limited.get(lane.type());
      if (limit == null) {
        if (!together) {
          parts.add(new ArrayList<>());
        }
        parts.get(parts.size() - 1).add(lane);
        together = true;
      } else if (withJobs.contains(lane) && locked.below().contains(limit)) {
        parts.add(List.of(lane));
        together = false;
      }
    }
    Set<String> reached = new HashSet<>(locked.types());
    reached.removeAll(locked.below());
    names.removeAll(locked.types());
    return new OpenLanes(parts, new PassedBy(reached, names));
  }

  private Set<Lane> withJobs(String queue, List<Lane> lanes) {
    return Set.copyOf(
        Sql.rows(
            transactions.entityManager(),
            TypeLimitSql.withJobs(),
            row -> lanes.get((int) row.number(0) - 1),
            queue,
            lanes.stream().map(Lane::type).toArray(String[]::new),
            lanes.stream().map(Lane::priority).toArray(Integer[]::new),
            lanes.stream().map(Lane::mark).toArray(Long[]::new)));
  }

  /**
   * Limits that are locked until the current transaction ends.
   *
   * @param types of all of them
   * @param below those that have fewer jobs leased than they allow
   */
  private record Locked(List<String> types, Set<String> below) {}

  private Locked lock(Collection<String> types) {
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
