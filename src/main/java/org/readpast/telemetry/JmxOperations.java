package org.readpast.telemetry;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Audit;
import org.readpast.admin.NodeControl;
import org.readpast.admin.QueueControl;
import org.readpast.admin.store.QueueAdmin;
import org.readpast.engine.Threads;

/**
 * Executes the operations that are called by JMX. Operations run on a thread of the application,
 * because a connector's thread has no access to the application's transactions and data sources.
 * Operations run under the name of the user that is signed in to the connector.
 */
final class JmxOperations {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final int MOST = 1_000;

  private final QueueControl queues;
  private final NodeControl nodes;
  private final Audit audit;
  private final Threads threads;

  JmxOperations(QueueControl queues, NodeControl nodes, Audit audit, Threads threads) {
    this.queues = queues;
    this.nodes = nodes;
    this.audit = audit;
    this.threads = threads;
  }

  void pause(String queue, boolean pause) {
    change(queue, QueueAdmin.Change.paused(pause));
  }

  /** Changes the concurrency of a queue; null for {@code jobs} restores the configured value. */
  void concurrency(String queue, @Nullable Integer jobs) {
    if (jobs != null && (jobs < 0 || jobs > MOST)) {
      throw new IllegalArgumentException(
          "concurrency is "
              + jobs
              + "; specify 0 to "
              + MOST
              + ", or call resetConcurrency to restore the configured value");
    }
    change(queue, QueueAdmin.Change.concurrency(jobs));
  }

  private void change(String queue, QueueAdmin.Change change) {
    act(() -> queues.change(queue, change));
  }

  void drain(@Nullable UUID node) {
    if (node == null) {
      throw new IllegalStateException("this node has not started, or has already been drained");
    }
    act(() -> nodes.drain(node));
  }

  private <T> void act(Supplier<T> action) {
    String who = JmxCaller.name();
    var done = new CompletableFuture<T>();
    try {
      threads.start(
          () -> {
            try {
              done.complete(audit.as(who, action));
            } catch (Throwable t) {
              done.completeExceptionally(t);
            }
          });
      done.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      // The cause is omitted, because the JMX client does not have the application's classes.
      throw new IllegalStateException(cause == null ? e.toString() : cause.getMessage());
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "the operation has not finished after "
              + LONGEST
              + ", because the database does not respond; it may still be executed later");
    } catch (RejectedExecutionException e) {
      throw new IllegalStateException(
          "the operation was not executed, because the application is stopping");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted; the operation may still be executed");
    }
  }
}
