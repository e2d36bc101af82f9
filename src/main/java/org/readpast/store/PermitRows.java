package org.readpast.store;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.sql.ClaimSql;
import org.readpast.sql.PermitSql;

/** The permits that nodes hold of queues with a limit over all nodes. */
public final class PermitRows {
  private final Transactions transactions;

  public PermitRows(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * What a node holds and wants.
   *
   * @param live false: it is dead or has stopped
   */
  public record Holding(int node, int held, int wanted, boolean live) {}

  /**
   * Locks the permits of a queue: until the current transaction ends nobody else changes them.
   *
   * @return seconds of the database's clock; null: another has them locked
   */
  public @Nullable Long lock(String queue) {
    return Sql.first(transactions.entityManager(), PermitSql.lock(), row -> row.number(0), queue);
  }

  /** By node. */
  public List<Holding> holdings(String queue) {
    return Sql.rows(
        transactions.entityManager(),
        PermitSql.holdings(),
        row -> new Holding(row.integer(0), row.integer(1), row.integer(2), row.flag(3)),
        queue);
  }

  /** Lets go of what dead nodes hold, once none of their work is left; gives how many nodes. */
  public int releaseDead(String queue) {
    return Sql.change(
        transactions.entityManager(), PermitSql.releaseDead(), queue, ClaimSql.NODE_LOCK);
  }

  /** The jobs of the queue that are RUNNING on this node. */
  public List<Nodes.Lease> running(int node, String queue) {
    return Sql.rows(
        transactions.entityManager(),
        PermitSql.running(),
        row -> new Nodes.Lease(row.number(0), row.integer(1), true),
        node,
        queue);
  }

  /** Keeps what a node holds and wants. */
  public void hold(String queue, int node, int held, int wanted) {
    Sql.change(transactions.entityManager(), PermitSql.hold(), queue, node, held, wanted);
  }
}
