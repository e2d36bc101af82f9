package org.readpast.admin;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.QueueAdmin;
import org.readpast.admin.store.QueueView;
import org.readpast.admin.store.SystemReads;
import org.readpast.engine.Signals;
import org.readpast.store.Transactions;

/** Pauses and resumes queues, and sets how many jobs of each run at once. */
public final class QueueControl {
  private final Transactions transactions;
  private final Signals signals;
  private final Audit audit;
  private final QueueAdmin queues;
  private final SystemReads reads;

  public QueueControl(Transactions transactions, Signals signals, Audit audit) {
    this.transactions = transactions;
    this.signals = signals;
    this.audit = audit;
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
    return transactions.required(
        () -> {
          QueueAdmin.Old old = queues.change(queue, change);
          if (old == null) {
            throw NotFoundException.queue(queue, reads.queueNames());
          }
          audit.did("queue.change", queue, detail(old, change));
          transactions.afterCommit(() -> signals.queueChanged(queue));
          return reads.queues().stream()
              .filter(view -> view.settings().name().equals(queue))
              .findFirst()
              .orElseThrow();
        });
  }

  private static Map<String, Object> detail(QueueAdmin.Old old, QueueAdmin.Change change) {
    Map<String, Object> detail = new LinkedHashMap<>();
    if (change.paused() != null) {
      detail.put("paused", Changes.fromTo(old.paused(), change.paused()));
    }
    put(detail, "concurrency", old.concurrency(), change.concurrency());
    put(detail, "globalConcurrency", old.globalConcurrency(), change.globalConcurrency());
    put(detail, "reserved", old.reserved(), change.reserved());
    return detail;
  }

  private static void put(
      Map<String, Object> detail,
      String name,
      @Nullable Integer old,
      QueueAdmin.@Nullable NewValue value) {
    if (value != null) {
      detail.put(name, Changes.fromTo(old, value.value()));
    }
  }
}
