package org.readpast.dependency;

import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;

/**
 * Stores which discarded jobs keep higher waves or their groups waiting. Callers must hold the lock
 * of the dependency resolver ({@link DependencyStore#lock()}).
 */
public final class HoldStore {
  private final Transactions transactions;

  public HoldStore(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Describes a discarded job that may hold other jobs.
   *
   * @param group the group that the job holds, or null if it does not hold its group
   */
  public record Hold(
      long job,
      @Nullable Long batch,
      @Nullable Integer wave,
      @Nullable String queue,
      @Nullable String group) {}

  /** Makes higher waves and groups wait for the given jobs. */
  public void hold(Collection<Hold> holds) {
    if (!holds.isEmpty()) {
      Sql.change(
          transactions.entityManager(),
          HoldSql.hold(),
          holds.stream().map(Hold::job).toArray(Long[]::new),
          holds.stream().map(Hold::batch).toArray(Long[]::new),
          holds.stream().map(Hold::wave).toArray(Integer[]::new),
          holds.stream().map(Hold::queue).toArray(String[]::new),
          holds.stream().map(Hold::group).toArray(String[]::new));
    }
  }

  /** Ends all holds of the given jobs, which have ended again or are no longer stored. */
  public void endHolds(Collection<Long> jobs) {
    if (!jobs.isEmpty()) {
      Sql.change(transactions.entityManager(), HoldSql.endHolds(), (Object) ids(jobs));
    }
  }

  /**
   * Ends the holds of waves by the given jobs, because they are live again, and by all jobs of the
   * given batches.
   */
  public void endWaveHolds(Collection<Long> jobs, Collection<Long> batches) {
    if (!jobs.isEmpty() || !batches.isEmpty()) {
      Sql.change(transactions.entityManager(), HoldSql.endWaveHolds(), ids(jobs), ids(batches));
    }
  }

  /** Ends the holds of the given groups. */
  public void endGroupHolds(Set<DependencyStore.Group> groups) {
    if (!groups.isEmpty()) {
      Sql.change(
          transactions.entityManager(),
          HoldSql.endGroupHolds(),
          groups.stream().map(DependencyStore.Group::queue).toArray(String[]::new),
          groups.stream().map(DependencyStore.Group::key).toArray(String[]::new));
    }
  }

  private static Long[] ids(Collection<Long> ids) {
    return ids.toArray(Long[]::new);
  }
}
