package org.readpast.store;

import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.sql.TypeLimitSql;

/** Stores the limits of job types across all nodes, by names without a version. */
public final class TypeLimitStore {
  private final Transactions transactions;

  public TypeLimitStore(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Holds the limit that applies to the jobs of a type name.
   *
   * @param type the type whose limit applies: the name itself, or the type of which it is an alias
   * @param most the maximum number of concurrent jobs
   */
  public record TypeLimit(String name, String type, int most) {}

  /** Stores limits, so that they also apply on engines that are not configured with them. */
  public void configure(Map<String, Integer> limits) {
    if (!limits.isEmpty()) {
      Sql.change(
          transactions.entityManager(),
          TypeLimitSql.configure(),
          limits.keySet().toArray(String[]::new),
          limits.values().toArray(Integer[]::new));
    }
  }

  /** Deletes aliases of the types that a node handles, except the aliases that the node knows. */
  public void forgetAliases(Collection<String> types, Collection<String> aliases) {
    Sql.change(
        transactions.entityManager(),
        TypeLimitSql.forgetAliases(),
        types.toArray(String[]::new),
        aliases.toArray(String[]::new));
  }

  /** Returns the limits that apply to all type names that have one. */
  public List<TypeLimit> all() {
    return Sql.rows(
        transactions.entityManager(),
        TypeLimitSql.all(),
        row -> new TypeLimit(row.text(0), row.text(1), row.integer(2)));
  }

  /**
   * Contains the lanes from which jobs may be claimed within the limits. The limits are locked
   * until the current transaction ends.
   *
   * @param parts groups of lanes that are claimed from one after the other until jobs are found;
   *     each lane of a limited type is a separate part
   */
  record OpenLanes(List<List<Lane>> parts, SkippedTypes skippedTypes) {}

  /**
   * Holds types whose jobs must not be claimed.
   *
   * @param reached types whose limits allow no more jobs
   * @param locked types whose limits are locked by other transactions
   */
  public record SkippedTypes(Set<String> reached, Set<String> locked) {
    static final SkippedTypes NONE = new SkippedTypes(Set.of(), Set.of());

    /** Returns all limited types. */
    public Set<String> all() {
      Set<String> all = new HashSet<>(reached);
      all.addAll(locked);
      return all;
    }
  }

  /**
   * Locks the limits of the limited types that have jobs in the lanes, and returns the lanes from
   * which jobs may be claimed. Limits that other transactions have locked are skipped.
   *
   * @param limited the limited types in stored form, each with the type whose limit applies
   */
  OpenLanes open(String queue, List<Lane> lanes, Map<String, String> limited) {
    // Most queues usually have no job of a limited type. A queue without jobs of a limited type
    // does not lock the limit: if it did, claims of other queues would have to skip the type.
    Set<Lane> withJobs =
        withJobs(queue, lanes.stream().filter(lane -> limited.containsKey(lane.type())).toList());
    Set<String> names = new HashSet<>();
    withJobs.forEach(lane -> names.add(limited.getOrDefault(lane.type(), "")));
    Locked locked = names.isEmpty() ? new Locked(List.of(), Set.of()) : lock(names);
    List<List<Lane>> parts = new ArrayList<>();
    boolean appends = false;
    for (Lane lane : lanes) {
      String limit = limited.get(lane.type());
      if (limit == null) {
        if (!appends) {
          parts.add(new ArrayList<>());
        }
        parts.get(parts.size() - 1).add(lane);
        appends = true;
      } else if (withJobs.contains(lane) && locked.below().contains(limit)) {
        parts.add(List.of(lane));
        appends = false;
      }
    }
    Set<String> reached = new HashSet<>(locked.types());
    reached.removeAll(locked.below());
    names.removeAll(locked.types());
    return new OpenLanes(parts, new SkippedTypes(reached, names));
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
   * Holds limits that are locked until the current transaction ends.
   *
   * @param types the types of all limits that apply
   * @param below the types that have fewer leased jobs than their limits allow
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

  /** Makes a lease count against the limit of a type. */
  void count(long lease, String type) {
    Sql.change(transactions.entityManager(), TypeLimitSql.count(), lease, type);
  }
}
