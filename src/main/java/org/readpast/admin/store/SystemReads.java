package org.readpast.admin.store;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.readpast.admin.sql.ReadSql;
import org.readpast.admin.sql.SearchSql;
import org.readpast.api.JobState;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.QueueScope;
import org.readpast.sql.NodeSql;
import org.readpast.store.Nodes;

/** Reads the visible queues and the nodes, in the current transaction, without locking anything. */
public final class SystemReads {
  private static final int MOST_RARE = 100_000;

  private final Transactions transactions;
  private final Nodes nodes;
  private final QueueScope seen;
  // This search finds ids of jobs in all queues, but only the jobs in visible queues are read.
  private final JobSearches searches;

  public SystemReads(Transactions transactions, QueueScope seen) {
    this.transactions = transactions;
    this.nodes = new Nodes(transactions);
    this.seen = seen;
    this.searches = new JobSearches(transactions, QueueScope.ALL);
  }

  /** Returns every visible queue, ordered by name; not all jobs of deep queues are counted. */
  public List<QueueView> queues() {
    List<Nodes.QueueRow> rows =
        nodes.settings().queues().stream().filter(row -> seen.contains(row.name())).toList();
    int limit = Math.max(1_000, Math.min(10_000, 100_000 / Math.max(1, rows.size())));
    Map<String, QueueView> views = new LinkedHashMap<>();
    rows.forEach(row -> views.put(row.name(), QueueView.empty(row)));
    Sql.rows(
        transactions.entityManager(),
        SearchSql.depths(),
        row -> {
          QueueView view = views.get(row.text(0));
          if (view != null) {
            view.count(JobState.AVAILABLE, row.number(1), limit);
            view.count(JobState.COMPLETED, row.number(2), limit);
            view.count(JobState.DISCARDED, row.number(3), limit);
            view.count(JobState.CANCELLED, row.number(4), limit);
            view.count(JobState.EXPIRED, row.number(5), limit);
          }
          return true;
        },
        limit + 1,
        seen.names(),
        seen.others());
    for (JobState state : List.of(JobState.RUNNING, JobState.SCHEDULED, JobState.BLOCKED)) {
      List<Long> ids = searches.few(state);
      Sql.rows(
          transactions.entityManager(),
          SearchSql.queuesOf(),
          row -> {
            QueueView view = views.get(row.text(0));
            if (view != null) {
              view.count(state, row.number(1), JobSearches.FEW);
              if (state == JobState.RUNNING) {
                view.exceptRunning(row.number(3));
              }
              if (ids.size() <= JobSearches.FEW && !row.isNull(2)) {
                view.oldestMillis().put(state, row.number(2));
              }
            }
            return true;
          },
          ids.toArray(Long[]::new),
          seen.names(),
          seen.others());
      if (ids.size() > JobSearches.FEW) {
        views.values().forEach(view -> view.atLeast().add(state));
      }
    }
    return List.copyOf(views.values());
  }

  /**
   * Holds the number of jobs in a state.
   *
   * @param exact false if the number is an estimate
   */
  public record Total(long count, boolean exact) {}

  /**
   * Returns the total number of jobs in each state; the given queues must be all visible queues.
   */
  public Map<JobState, Total> totals(List<QueueView> queues) {
    Map<JobState, Total> totals = new EnumMap<>(JobState.class);
    for (JobState state : JobState.values()) {
      totals.put(
          state,
          new Total(
              queues.stream().mapToLong(queue -> queue.counts().getOrDefault(state, 0L)).sum(),
              queues.stream().noneMatch(queue -> queue.atLeast().contains(state))));
    }
    if (!seen.isAll()) {
      // The estimates cover all queues, including those that are hidden from the caller.
      return totals;
    }
    Sql.rows(
        transactions.entityManager(),
        SearchSql.rare(),
        row ->
            totals.put(
                JobState.valueOf(row.text(0)),
                new Total(Math.min(row.number(1), MOST_RARE), row.number(1) <= MOST_RARE)),
        MOST_RARE + 1);
    List<Long> about =
        Sql.rows(
                transactions.entityManager(),
                SearchSql.about(),
                row ->
                    List.of(
                        row.isNull(0) ? 0 : row.number(0),
                        row.isNull(1) ? 0 : row.number(1),
                        row.isNull(2) ? 0 : row.number(2)))
            .get(0);
    totals.computeIfPresent(
        JobState.SCHEDULED,
        (state, total) ->
            total.exact() ? total : new Total(Math.max(total.count(), about.get(2)), false));
    estimate(totals, JobState.AVAILABLE, about.get(0));
    estimate(totals, JobState.COMPLETED, about.get(1));
    return totals;
  }

  /**
   * Estimates the number of jobs in a state by subtracting all other states from the number of jobs
   * in the table.
   */
  private static void estimate(Map<JobState, Total> totals, JobState state, long all) {
    long others =
        totals.entrySet().stream()
            .filter(one -> one.getKey().ended() == state.ended() && one.getKey() != state)
            .mapToLong(one -> one.getValue().count())
            .sum();
    totals.computeIfPresent(
        state,
        (same, total) ->
            total.exact() ? total : new Total(Math.max(total.count(), all - others), false));
  }

  /** Returns the names of all visible queues. */
  public List<String> queueNames() {
    return Sql.rows(transactions.entityManager(), NodeSql.queues(), row -> row.text(0)).stream()
        .filter(seen::contains)
        .toList();
  }

  /**
   * Returns nodes, the newest first.
   *
   * @param all true: every recorded node; false: the running nodes, and for each name the last node
   *     that has ended within a day and was not started again
   */
  public List<NodeView> nodes(boolean all) {
    return Sql.rows(
        transactions.entityManager(),
        ReadSql.nodes(),
        NodeView::read,
        all,
        seen.names(),
        seen.others());
  }

  /** Returns how each node serves each queue, the newest node first. */
  public List<ListenerView> listening() {
    List<ListenerView> nodes = new ArrayList<>();
    Sql.rows(
        transactions.entityManager(),
        ReadSql.listening(),
        row -> {
          UUID id = UUID.fromString(row.text(0));
          if (nodes.isEmpty() || !nodes.get(nodes.size() - 1).node().equals(id)) {
            nodes.add(new ListenerView(id, row.text(1), row.text(2), new ArrayList<>()));
          }
          return nodes.get(nodes.size() - 1).queues().add(ListenerView.read(row));
        },
        seen.names(),
        seen.others());
    return nodes;
  }
}
