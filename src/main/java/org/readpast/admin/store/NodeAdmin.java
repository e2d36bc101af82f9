package org.readpast.admin.store;

import java.util.UUID;
import org.readpast.admin.sql.AdminSql;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;

/** Drains nodes for operators, in the current transaction. */
public final class NodeAdmin {
  private final Transactions transactions;

  public NodeAdmin(Transactions transactions) {
    this.transactions = transactions;
  }

  /** Asks a node to claim no more jobs. Returns true if the node is ACTIVE. */
  public boolean drain(UUID node) {
    return Sql.first(transactions.entityManager(), AdminSql.drain(), row -> true, node.toString())
        != null;
  }
}
