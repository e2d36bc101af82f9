package org.readpast.admin;

import org.readpast.engine.Signals;
import org.readpast.store.QueueAdmin;
import org.readpast.store.QueueView;
import org.readpast.store.SystemReads;
import org.readpast.store.Transactions;

/** Pauses and resumes queues, and sets how many jobs of each run at once. */
public final class QueueControl {
  private final Transactions transactions;
  private final Signals signals;
  private final QueueAdmin queues;
  private final SystemReads reads;

  public QueueControl(Transactions transactions, Signals signals) {
    this.transactions = transactions;
    this.signals = signals;
    this.queues = new QueueAdmin(transactions);
    this.reads = new SystemReads(transactions);
  }

  /**
   * Changes a queue; every node hears of it.
   *
   * @return the queue as it is now
   * @throws NotFoundException if there is none
   */
  public QueueView change(String queue, QueueAdmin.Change change) {
    return transactions.joined(
        () -> {
          if (!queues.change(queue, change)) {
            throw NotFoundException.queue(queue, reads.queueNames());
          }
          transactions.afterCommit(() -> signals.queueChanged(queue));
          return reads.queues().stream()
              .filter(view -> view.settings().name().equals(queue))
              .findFirst()
              .orElseThrow();
        });
  }
}
