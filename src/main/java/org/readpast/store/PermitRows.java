package org.readpast.store;

import java.util.List;
import java.util.Objects;
import org.readpast.sql.ClaimSql;
import org.readpast.sql.PermitSql;

/** The permits that nodes hold of queues with a limit over all nodes. */
public final class PermitRows {
  private final Transactions transactions;

  public PermitRows(Transactions transactions) {
    this.transactions = transactions;
  }

  /** The database's clock, in seconds, at the moment at which the queue's permits were locked. */
  public record Turn(long seconds) {}

  /**
   * What a node holds and wants.
   *
   * @param live false: it is dead or has stopped
   */
  public record Holding(int node, int held, int wanted, boolean live) {}

  /** Locks the permits of a queue: until the current transaction ends nobody else changes them. */
  public Turn lock(String queue) {
    Long seconds =
        Sql.first(transactions.entityManager(), PermitSql.lock(), row -> row.number(0), queue);
    return new Turn(Objects.requireNonNullElse(seconds, 0L));
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

  /** How many jobs of the queue are RUNNING on this node. */
  public int running(int node, String queue) {
    Integer running =
        Sql.first(
            transactions.entityManager(), PermitSql.running(), row -> row.integer(0), node, queue);
    return running == null ? 0 : running;
  }

  /** Keeps what a node holds and wants. */
  public void hold(String queue, int node, int held, int wanted) {
    Sql.change(transactions.entityManager(), PermitSql.hold(), queue, node, held, wanted);
  }
}
