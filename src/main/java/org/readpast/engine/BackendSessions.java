package org.readpast.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.store.Claims;
import org.readpast.store.Nodes;
import org.readpast.store.Transactions;

/**
 * The database sessions that work this node's jobs in transactions. The others terminate them when
 * the node is dead: else a handler on a frozen machine would keep its row locks for hours.
 */
final class BackendSessions {
  // Behind a pooler other nodes reuse a session: one that was not used for so long is not ours.
  private static final long KEPT_NANOS = Duration.ofSeconds(30).toNanos();

  private final Transactions transactions;
  private final Claims claims;
  private final Nodes nodes;
  private final NodeState node;
  private final Map<Integer, Long> lastUsed = new ConcurrentHashMap<>();

  BackendSessions(Transactions transactions, Claims claims, Nodes nodes, NodeState node) {
    this.transactions = transactions;
    this.claims = claims;
    this.nodes = nodes;
    this.node = node;
  }

  /**
   * The process id of the session of the current transaction, in which a job is worked. One that
   * was not used lately is made known to the other nodes: that is a commit more for few jobs.
   */
  int current() {
    int found = transactions.backend();
    int backend = found == 0 ? claims.backend() : found;
    if (!lastUsed.containsKey(backend)) {
      transactions.autoCommit(
          () -> {
            nodes.addBackend(node.no(), backend);
            return true;
          });
    }
    lastUsed.put(backend, System.nanoTime());
    return backend;
  }

  /** Those that were used lately. */
  Collection<Integer> recent() {
    long now = System.nanoTime();
    lastUsed.values().removeIf(used -> now - used > KEPT_NANOS);
    return lastUsed.keySet();
  }
}
