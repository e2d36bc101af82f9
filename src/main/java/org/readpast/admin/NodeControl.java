package org.readpast.admin;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.readpast.admin.store.NodeAdmin;
import org.readpast.admin.store.NodeView;
import org.readpast.admin.store.SystemReads;
import org.readpast.api.NotFoundException;
import org.readpast.api.StateConflictException;
import org.readpast.database.Transactions;
import org.readpast.model.QueueScope;

/** Drains nodes. */
public final class NodeControl {
  private final Transactions transactions;
  private final Audit audit;
  private final NodeAdmin nodes;
  private final SystemReads reads;

  public NodeControl(Transactions transactions, Audit audit) {
    this.transactions = transactions;
    this.audit = audit;
    this.nodes = new NodeAdmin(transactions);
    this.reads = new SystemReads(transactions, QueueScope.ALL);
  }

  /**
   * Asks a node to claim no more jobs, and to stop when its running jobs have ended. The node
   * learns of this with its next heartbeat. The application of a drained node continues and can
   * still enqueue.
   *
   * @return the current state of the node
   * @throws NotFoundException if the node does not exist
   * @throws StateConflictException if the node is not ACTIVE
   */
  public NodeView drain(UUID node) {
    return transactions.required(
        () -> {
          boolean asked = nodes.drain(node);
          NodeView view =
              reads.nodes(true).stream()
                  .filter(one -> one.id().equals(node))
                  .findFirst()
                  .orElseThrow(() -> NotFound.node(node.toString()));
          if (!asked && !view.drainRequested()) {
            throw StateConflict.drained(view.name(), view.state());
          }
          if (asked) {
            audit.did(
                "node.drain", view.name(), List.of(), Map.of("drain", Changes.fromTo(false, true)));
          }
          return view;
        });
  }
}
