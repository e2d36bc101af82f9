package org.readpast.engine;

import java.util.List;
import org.readpast.model.Shares;
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

  Permits(Transactions transactions, NodeState node) {
    this.transactions = transactions;
    this.rows = new PermitRows(transactions);
    this.node = node;
  }

  /** Says what this node wants of a queue, and learns what it may have. */
  synchronized void renew(Line line) {
    Integer limit = line.limit();
    int before = line.inUse();
    if (limit == null || line.quota(q -> q.atRest(before))) {
      return;
    }
    int wanted = line.quota(q -> q.demand(line.inUse(), line.concurrency()));
    Granted granted;
    try {
      granted = transactions.fresh(() -> renew(line, limit, wanted, before));
    } catch (RuntimeException e) {
      line.rest();
      throw e;
    }
    line.change(q -> q.grant(granted.most() - granted.unaccounted(), wanted == 0));
  }

  /**
   * What has been committed.
   *
   * @param unaccounted jobs that the database says are in work here, of which nothing is known
   *     here: an answer was lost
   */
  private record Granted(int most, int unaccounted) {}

  private Granted renew(Line line, int limit, int wanted, int before) {
    int me = node.no();
    PermitRows.Turn turn = rows.lock(line.queue());
    List<Holding> all = rows.holdings(line.queue());
    if (all.stream().anyMatch(h -> !h.live()) && rows.releaseDead(line.queue()) > 0) {
      all = rows.holdings(line.queue());
    }
    int others = all.stream().filter(h -> h.node() != me).mapToInt(Holding::held).sum();
    int most = Math.min(share(limit, wanted, me, all, turn), Math.max(0, limit - others));
    int running = rows.running(me, line.queue());
    // From here on no more than these come into work, so that what is counted now covers them.
    int after =
        line.quota(
            q -> {
              q.lower(most);
              return line.inUse();
            });
    rows.hold(line.queue(), me, Math.max(most, Math.max(after, running)), wanted);
    return new Granted(most, Math.max(0, running - Math.max(before, after)));
  }

  /**
   * Who comes first changes only where there are fewer permits than nodes: so that each has its
   * turn.
   */
  private static int share(int limit, int wanted, int me, List<Holding> all, PermitRows.Turn turn) {
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
    int first = limit < wanting ? (int) ((turn.seconds() / ROTATION_SECONDS) % wants.length) : 0;
    return Shares.of(limit, wants, first)[place];
  }
}
