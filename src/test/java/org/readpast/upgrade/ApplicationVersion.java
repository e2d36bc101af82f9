package org.readpast.upgrade;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.readpast.api.JobContext;
import org.readpast.api.JobQueue;
import org.readpast.api.JobResult;
import org.readpast.api.JobType;
import org.readpast.api.OnLostLease;
import org.readpast.api.ReceiveMode;
import org.readpast.engine.HandlerDefinition;
import org.readpast.engine.Settings.QueueSettings;
import org.readpast.model.RetryPolicy;
import org.readpast.model.ScheduleDefinition;
import org.readpast.model.StoredType;
import org.readpast.runtime.JobPreparer;
import org.readpast.runtime.Json;
import org.readpast.runtime.NodeQueue;
import org.readpast.support.Database;
import org.readpast.support.TestNode;
import org.readpast.upgrade.CommonJobs.Again;
import org.readpast.upgrade.CommonJobs.Call;
import org.readpast.upgrade.CommonJobs.Limited;
import org.readpast.upgrade.CommonJobs.Note;

/** Represents a running node of one version of the application, in this JVM. */
abstract class ApplicationVersion implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final Json json = new Json();
  private final JobPreparer preparer = JobPreparer.with(json, 1024 * 1024);
  private final TestNode node;
  final NodeLedger ledger;
  private final Rounds rounds;
  private final Thread producer = new Thread(this::produce, "producer");
  private volatile boolean stopped;

  ApplicationVersion(
      Database database, String name, ChangedJobs changed, int limit, List<String> ticks) {
    node =
        new TestNode(database)
            .named("upgrade", name)
            .notifiesOtherNodes()
            .writes(preparer::prepare, preparer::result)
            .queue(CommonJobs.LIMITED_QUEUE, new QueueSettings(null, null, null, null, limit))
            .declares(
                ticks.stream()
                    .map(ApplicationVersion::everySecond)
                    .toArray(ScheduleDefinition[]::new));
    ledger = new NodeLedger(node, name);
    handles(
        Note.class,
        ReceiveMode.TRANSACTIONAL,
        (job, context) -> ledger.worked("note", job.n(), context));
    handles(
        Again.class,
        ReceiveMode.TRANSACTIONAL,
        (job, context) -> CommonJobs.again(ledger, job, context));
    handles(
        Call.class, ReceiveMode.LEASED, (job, context) -> ledger.worked("call", job.n(), context));
    handles(
        Limited.class,
        ReceiveMode.LEASED,
        (job, context) -> CommonJobs.limited(ledger, job, context));
    for (String tick : ticks) {
      node.handles(
          tick,
          ReceiveMode.TRANSACTIONAL,
          (payload, context) -> {
            ledger.ticked(tick, context);
            return JobResult.done();
          });
    }
    handleChanged();
    node.start();
    JobQueue queue = NodeQueue.of(node, json, preparer);
    rounds = new Rounds(queue, ledger, changed, null);
    producer.start();
  }

  /** Handles the jobs that have the form of this version. */
  abstract void handleChanged();

  private static ScheduleDefinition everySecond(String name) {
    Map<String, String> fields = new HashMap<>();
    fields.put("every", "PT1S");
    fields.put("type", name);
    fields.put("queue", CommonJobs.QUEUE);
    return ScheduleDefinition.read(name, fields);
  }

  /** Handles a payload. */
  interface Handler<T> {
    void handle(T payload, JobContext context) throws Exception;
  }

  final <T> void handles(Class<T> payload, ReceiveMode mode, Handler<T> handler) {
    JobType type = Objects.requireNonNull(payload.getAnnotation(JobType.class));
    for (StoredType readable : JobPreparer.readable(type, payload, payload.getName())) {
      node.handles(
          new HandlerDefinition(
              readable.stored(),
              readable.version() == type.version() ? payload.getName() : null,
              mode,
              TIMEOUT,
              1,
              RetryPolicy.DEFAULT,
              java.util.Set.of(),
              OnLostLease.CONTINUE,
              (stored, context) -> {
                handler.handle(
                    json.payloadOf(context.id(), readable, context.contentType(), stored, payload),
                    context);
                return JobResult.done();
              },
              null));
    }
  }

  private void produce() {
    try {
      while (!stopped) {
        node.transactions()
            .inHandlerTransaction(
                TIMEOUT,
                () -> {
                  rounds.enqueue();
                  return true;
                });
        Thread.sleep(100);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Stops enqueueing. */
  void endRequests() {
    stopped = true;
    try {
      producer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops in the same order as a server: first the requests, then the engine. */
  @Override
  public void close() {
    endRequests();
    node.close();
  }
}
