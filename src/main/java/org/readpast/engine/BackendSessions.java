package org.readpast.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.database.Transactions;
import org.readpast.store.Claims;
import org.readpast.store.Nodes;

/**
 * Tracks the database sessions in which the transactions of this node's handlers run. If the node
 * dies, other nodes terminate the sessions of its handlers. If no other node terminated them, a
 * handler on a frozen machine would keep its row locks for hours.
 */
final class BackendSessions {
  // Behind a connection pooler, nodes reuse sessions of each other: a session that has not been
  // used for some time may belong to another node.
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
   * Returns the process id of the session of the current transaction, in which a job runs. A
   * session that was not used recently is also recorded in the database for other nodes; this takes
   * one more commit, but only for few jobs.
   */
  int current() {
    int found = transactions.backend();
    int backend = found == 0 ? claims.backend() : found;
    if (!lastUsed.containsKey(backend)) {
      transactions.autoCommit(() -> nodes.addBackend(node.no(), backend));
    }
    lastUsed.put(backend, System.nanoTime());
    return backend;
  }

  /** Returns the sessions that were used recently. */
  Collection<Integer> recent() {
    long now = System.nanoTime();
    lastUsed.values().removeIf(used -> now - used > KEPT_NANOS);
    return lastUsed.keySet();
  }
}
