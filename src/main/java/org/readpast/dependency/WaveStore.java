package org.readpast.dependency;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.store.Wave;

/**
 * Stores the counts of waves, and releases the jobs of waves. Callers must hold the lock of the
 * dependency resolver ({@link DependencyStore#lock()}).
 */
public final class WaveStore {
  private final Transactions transactions;

  public WaveStore(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Describes jobs in the lowest wave of their batch that can be released and have the same values
   * in all fields of this record.
   *
   * @param ready true if the jobs wait for nothing else
   * @param live the number of all live jobs of the wave, including those with other values
   */
  public record Waiting(
      Wave wave, String queue, String type, int priority, boolean ready, int jobs, int live) {}

  /** Returns, by batch, the first jobs that {@link #releaseWaves} would release. */
  public Map<Long, List<Waiting>> waiting(Collection<Long> batches, int mostOfEach) {
    return waiting(batches, mostOfEach, null);
  }

  /**
   * Returns the same as {@link #waiting(Collection, int)}. Also requests another check, as {@link
   * #requestCheck} does, of each wave in which at least {@code mostOfEach} jobs are ready and have
   * the same values.
   */
  public Map<Long, List<Waiting>> waitingRequestingCheck(Collection<Long> batches, int mostOfEach) {
    return waiting(batches, mostOfEach, mostOfEach);
  }

  private Map<Long, List<Waiting>> waiting(
      Collection<Long> batches, int mostOfEach, @Nullable Integer requestCheckFrom) {
    return Sql.rows(
            transactions.entityManager(),
            DependencySql.waiting(),
            row ->
                new Waiting(
                    new Wave(row.number(0), row.integer(1)),
                    row.text(2),
                    row.text(3),
                    row.integer(4),
                    row.flag(5),
                    row.integer(6),
                    row.integer(7)),
            DependencyStore.ids(batches),
            mostOfEach,
            requestCheckFrom)
        .stream()
        .collect(Collectors.groupingBy(waiting -> waiting.wave().batch()));
  }

  /**
   * Changes the counts of waves. Returns the batches of the waves that no longer have live jobs.
   */
  public List<Long> count(Map<Wave, WaveChange> changes) {
    List<Map.Entry<Wave, WaveChange>> all = List.copyOf(changes.entrySet());
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.count(),
        row -> row.number(0),
        all.stream().map(e -> e.getKey().batch()).toArray(Long[]::new),
        all.stream().map(e -> e.getKey().no()).toArray(Integer[]::new),
        counts(all, WaveChange::live),
        counts(all, WaveChange::completed),
        counts(all, WaveChange::discarded),
        counts(all, WaveChange::cancelled),
        counts(all, WaveChange::expired));
  }

  private static Integer[] counts(
      List<Map.Entry<Wave, WaveChange>> changes, ToIntFunction<WaveChange> count) {
    return changes.stream().map(e -> count.applyAsInt(e.getValue())).toArray(Integer[]::new);
  }

  /** Releases the jobs of the lowest waves. */
  public List<AlikeJobs> releaseWaves(Collection<Long> batches, int mostOfEach) {
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.releaseWaves(),
        AlikeJobs::of,
        DependencyStore.ids(batches),
        mostOfEach);
  }

  /**
   * Requests that the given waves be checked again in another transaction, because their jobs may
   * be releasable then.
   */
  public void requestCheck(Collection<Wave> waves) {
    if (!waves.isEmpty()) {
      Sql.change(
          transactions.entityManager(),
          DependencySql.requestCheck(),
          waves.stream().map(Wave::batch).toArray(Long[]::new),
          waves.stream().map(Wave::no).toArray(Integer[]::new));
    }
  }
}
