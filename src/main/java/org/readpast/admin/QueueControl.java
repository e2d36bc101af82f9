package org.readpast.admin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.QueueAdmin;
import org.readpast.admin.store.QueueView;
import org.readpast.admin.store.SystemReads;
import org.readpast.api.JobRejectedException;
import org.readpast.api.NotFoundException;
import org.readpast.database.Transactions;
import org.readpast.engine.Signals;
import org.readpast.enqueue.Enqueues;
import org.readpast.model.Names;
import org.readpast.model.QueueAccess;
import org.readpast.model.Role;

/** Pauses and resumes queues, and limits the number of concurrent jobs of each queue. */
public final class QueueControl implements Scoped<QueueControl> {
  private final Transactions transactions;
  private final Signals signals;
  private final Audit audit;
  private final QueueAdmin queues;
  private final SystemReads reads;
  private final Enqueues enqueues;

  private final QueueAccess access;

  public QueueControl(Transactions transactions, Signals signals, Audit audit) {
    this(transactions, signals, audit, QueueAccess.EVERYTHING);
  }

  private QueueControl(
      Transactions transactions, Signals signals, Audit audit, QueueAccess access) {
    this.access = access;
    this.transactions = transactions;
    this.signals = signals;
    this.audit = audit;
    this.queues = new QueueAdmin(transactions);
    this.reads = new SystemReads(transactions, access.seen());
    this.enqueues = new Enqueues(transactions);
  }

  @Override
  public QueueControl within(QueueAccess caller) {
    return new QueueControl(transactions, signals, audit, caller);
  }

  /**
   * Changes a queue and notifies every node.
   *
   * @return the current state of the queue
   * @throws NotFoundException if the queue does not exist
   */
  public QueueView change(String queue, QueueAdmin.Change change) {
    return transactions.required(
        () -> {
          if (!access.has(Role.OPERATOR, queue) && reads.queueNames().contains(queue)) {
            AccessDeniedException.require(access, Role.OPERATOR, queue);
          }
          QueueAdmin.Old old =
              access.has(Role.OPERATOR, queue) ? queues.change(queue, change) : null;
          if (old == null) {
            throw NotFound.queue(queue, reads.queueNames());
          }
          audit.did("queue.change", queue, List.of(queue), detail(old, change));
          transactions.afterCommit(() -> signals.queueChanged(queue));
          return reads.queues().stream()
              .filter(view -> view.settings().name().equals(queue))
              .findFirst()
              .orElseThrow();
        });
  }

  /**
   * Pauses a queue, so that its jobs are not claimed; creates the queue if necessary.
   *
   * @throws JobRejectedException if the name is not a valid queue name
   */
  public void pause(String queue) {
    setPaused(queue, true);
  }

  /**
   * Resumes a queue, so that its jobs are claimed again; creates the queue if necessary.
   *
   * @throws JobRejectedException if the name is not a valid queue name
   */
  public void resume(String queue) {
    setPaused(queue, false);
  }

  private void setPaused(String queue, boolean paused) {
    Names.checkQueue(queue);
    transactions.required(
        () -> {
          // The queue is created in this transaction, so that no node sees the new queue before
          // it is paused.
          if (!enqueues.missingQueues(List.of(queue)).isEmpty()) {
            enqueues.createQueues(List.of(queue));
          }
          return change(queue, QueueAdmin.Change.paused(paused));
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
