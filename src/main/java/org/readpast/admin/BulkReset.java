package org.readpast.admin;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.JobAdmin;
import org.readpast.api.JobState;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueScope;
import org.readpast.model.Role;
import org.readpast.model.Transition;
import org.readpast.store.Transactions;

/** Resets many jobs in one transaction. */
public final class BulkReset implements Scoped<BulkReset> {
  /** The maximum number of jobs in one call: a longer transaction would hold back vacuum. */
  public static final int MOST = 100_000;

  private static final int AT_ONCE = 1_000;
  private static final int TOLD = 100;

  private final Transactions transactions;
  private final JobControl control;
  private final Audit audit;
  private final JobAdmin jobs;
  private final QueueScope operated;

  public BulkReset(Transactions transactions, JobControl control, Audit audit) {
    this(transactions, control, audit, QueueScope.ALL);
  }

  private BulkReset(
      Transactions transactions, JobControl control, Audit audit, QueueScope operated) {
    this.transactions = transactions;
    this.control = control;
    this.audit = audit;
    this.jobs = new JobAdmin(transactions);
    this.operated = operated;
  }

  @Override
  public BulkReset within(QueueAccess caller) {
    return new BulkReset(transactions, control.within(caller), audit, caller.scope(Role.OPERATOR));
  }

  /**
   * Reports the outcome.
   *
   * @param reset the number of jobs that were reset
   * @param skipped the number of jobs that do not exist, are live or COMPLETED, have a unique key
   *     that a live job holds, or were overtaken by jobs that would have waited for them
   * @param more true if matching jobs are left for another call
   */
  public record Result(int reset, int skipped, boolean more) {}

  /** Holds the result, and the number of reset jobs by their previous state. */
  private record Done(Result result, Map<String, Integer> from) {}

  /**
   * Selects ended jobs; a null component matches all.
   *
   * @param state DISCARDED, CANCELLED or EXPIRED
   */
  public record Selection(
      @Nullable String queue, @Nullable String type, @Nullable JobState state) {}

  /** Resets the given jobs. */
  public Result reset(Collection<Long> ids) {
    return transactions.required(
        () -> {
          Done done = inOrder(ids, false);
          Map<String, Object> detail = detail(done);
          detail.put("ids", ids.stream().sorted().limit(TOLD).toList());
          keep(done, null, detail);
          return done.result();
        });
  }

  /** Resets the jobs that match at the time of the call. */
  public Result reset(Selection selection) {
    JobState state = selection.state();
    return transactions.required(
        () -> {
          List<Long> ids =
              jobs.ended(
                  state == null ? Transition.RESET.from() : List.of(state),
                  selection.queue(),
                  selection.type(),
                  MOST + 1,
                  operated);
          boolean more = ids.size() > MOST;
          Done done = inOrder(more ? ids.subList(0, MOST) : ids, more);
          Map<String, Object> detail = detail(done);
          detail.put("type", selection.type());
          detail.put("more", more);
          keep(done, selection.queue(), detail);
          return done.result();
        });
  }

  /** Records the call as one audit entry. A call that changed nothing is not recorded. */
  private void keep(Done done, @Nullable String queue, Map<String, Object> detail) {
    if (done.result().reset() > 0) {
      audit.did("jobs.reset", queue, concerned(queue), detail);
    }
  }

  /** Returns the queues that the change concerns; null: they are not known beforehand. */
  private @Nullable Set<String> concerned(@Nullable String queue) {
    if (queue != null) {
      return Set.of(queue);
    }
    return operated.others() ? null : operated.named();
  }

  private static Map<String, Object> detail(Done done) {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("reset", done.result().reset());
    detail.put("skipped", done.result().skipped());
    detail.put("state", Changes.fromTo(done.from(), JobState.AVAILABLE.name()));
    return detail;
  }

  /** Resets the jobs ordered by id, so that two concurrent calls cannot deadlock. */
  private Done inOrder(Collection<Long> ids, boolean more) {
    List<Long> sorted = ids.stream().distinct().sorted().toList();
    Map<String, Integer> reset = Map.of();
    for (int from = 0; from < sorted.size(); from += AT_ONCE) {
      reset =
          Changes.sum(
              reset,
              control.resetAll(sorted.subList(from, Math.min(from + AT_ONCE, sorted.size()))));
    }
    int all = Changes.total(reset);
    return new Done(new Result(all, sorted.size() - all, more), reset);
  }
}
