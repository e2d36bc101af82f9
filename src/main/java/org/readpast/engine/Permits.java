package org.readpast.engine;

import java.util.List;
import java.util.Optional;
import org.readpast.model.Shares;
import org.readpast.store.Nodes.Lease;
import org.readpast.store.PermitRows;
import org.readpast.store.PermitRows.Holding;
import org.readpast.store.Transactions;

/**
 * Holds the limits that queues have over all nodes.
 *
 * <p>Each node holds permits, and never has more jobs in work than these; the sum over all nodes
 * does not exceed the limit, because nobody takes more than the others leave, under a lock on the
 * queue's row. A node says at its heartbeats how many it wants, gives back what is more than its
 * share, and takes what has come free. It lowers itself first and tells the database then; it tells
 * the database first and raises itself then. Claims touch no counter, only look whether their node
 * is alive: the permits of a dead one go to others as soon as its jobs have come free.
 */
final class Permits {
  private static final int ROTATION_SECONDS = 30;

  private final Transactions transactions;
  private final PermitRows rows;
  private final NodeState node;
  private final InWork inWork;

  Permits(Transactions transactions, NodeState node, InWork inWork) {
    this.transactions = transactions;
    this.rows = new PermitRows(transactions);
    this.node = node;
    this.inWork = inWork;
  }

  /** Says what this node wants of a queue, and learns what it may have. */
  synchronized void renew(Line line) {
    Integer limit = line.limit();
    int before = line.inUse();
    if (limit == null || line.quota(q -> q.atRest(before))) {
      return;
    }
    int wanted = line.quota(q -> q.demand(line.inUse(), line.concurrency()));
    Optional<Granted> renewed;
    try {
      renewed = transactions.fresh(() -> renew(line, limit, wanted));
    } catch (RuntimeException e) {
      line.rest();
      throw e;
    }
    // Else it is another's turn, and this one's with the next heartbeat.
    renewed.ifPresentOrElse(
        granted -> grant(line, granted, wanted),
        () -> line.change(q -> q.putOff(wanted, line.inUse())));
  }

  private static void grant(Line line, Granted granted, int wanted) {
    line.change(
        q -> {
          if (granted.unaccounted() == 0) {
            q.accountedFor();
          }
          q.grant(granted.most() - granted.unaccounted(), wanted, line.inUse());
        });
  }

  /**
   * What has been committed.
   *
   * @param unaccounted jobs that are RUNNING here for the others beside those in use
   */
  private record Granted(int most, int unaccounted) {}

  private Optional<Granted> renew(Line line, int limit, int wanted) {
    int me = node.no();
    Long seconds = rows.lock(line.queue());
    if (seconds == null) {
      return Optional.empty();
    }
    List<Holding> all = rows.holdings(line.queue());
    if (all.stream().anyMatch(h -> !h.live()) && rows.releaseDead(line.queue()) > 0) {
      all = rows.holdings(line.queue());
    }
    int others = all.stream().filter(h -> h.node() != me).mapToInt(Holding::held).sum();
    int most = Math.min(share(limit, wanted, me, all, seconds), Math.max(0, limit - others));
    List<Lease> lost = line.quota(Quota::strict) ? lost(me, line) : List.of();
    // From here on no more than these come into work, so that what is counted now covers them.
    int inUse =
        line.quota(
            q -> {
              q.lower(most);
              return line.inUse();
            });
    rows.hold(line.queue(), me, Math.max(most, inUse + lost.size()), wanted);
    return Optional.of(new Granted(most, lost.size()));
  }

  /**
   * After an error jobs may be RUNNING for the others that nobody works on here: an answer was
   * lost, or an end could not be told. As long as there is one, all that are RUNNING count beside
   * those in use.
   */
  private List<Lease> lost(int me, Line line) {
    List<Lease> running = rows.running(me, line.queue());
    return running.stream().allMatch(lease -> inWork.works(lease)) ? List.of() : running;
  }

  /**
   * Who comes first changes only where there are fewer permits than nodes: so that each has its
   * turn.
   */
  private static int share(int limit, int wanted, int me, List<Holding> all, long seconds) {
    List<Holding> others = all.stream().filter(h -> h.live() && h.node() != me).toList();
    int place = (int) others.stream().filter(h -> h.node() < me).count();
    int[] wants = new int[others.size() + 1];
    for (int i = 0; i < others.size(); i++) {
      wants[i < place ? i : i + 1] = others.get(i).wanted();
    }
    wants[place] = wanted;
    int wanting = 0;
    for (int want : wants) {
      wanting += want > 0 ? 1 : 0;
    }
    int first = limit < wanting ? (int) ((seconds / ROTATION_SECONDS) % wants.length) : 0;
    return Shares.of(limit, wants, first)[place];
  }
}
