package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.BatchControl;
import org.readpast.admin.EndWaiter;
import org.readpast.admin.JobControl;
import org.readpast.admin.Purge;
import org.readpast.admin.QueueControl;
import org.readpast.admin.store.JobFinder;
import org.readpast.admin.store.JobFinder.Found;
import org.readpast.admin.store.JobOutcomes;
import org.readpast.admin.store.JobReads;
import org.readpast.api.Batch;
import org.readpast.api.Enqueued;
import org.readpast.api.Job;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobReply;
import org.readpast.api.JobRequest;
import org.readpast.api.JobSelection;
import org.readpast.api.JobState;
import org.readpast.api.JobStatus;
import org.readpast.api.ReceivedJob;
import org.readpast.database.Transactions;
import org.readpast.engine.Enqueuer;
import org.readpast.engine.SynchronousReceive;
import org.readpast.model.Names;
import org.readpast.model.NewJob;
import org.readpast.model.QueueScope;

/** Implements the queue that applications inject. */
@ApplicationScoped
public class JobQueueBean implements JobQueue {
  @Inject JobPreparer preparer;
  @Inject Enqueuer enqueuer;
  @Inject JobControl control;
  @Inject EndWaiter endWaiter;
  @Inject RunningEngine engine;
  @Inject Transactions transactions;
  @Inject Purge purge;
  @Inject QueueControl queues;
  @Inject Json json;

  @Override
  public Enqueued enqueue(JobRequest request) {
    return enqueuer.enqueue(List.of(preparer.prepare(request))).get(0);
  }

  @Override
  public List<Enqueued> enqueueAll(Iterable<?> jobs) {
    List<NewJob> prepared = new ArrayList<>();
    jobs.forEach(job -> prepared.add(preparer.prepare(job)));
    return enqueuer.enqueue(prepared);
  }

  @Override
  public Batch batch(String name) {
    return new NamedBatch(
        name, preparer, enqueuer, new BatchControl(transactions, engine, engine::signed, null));
  }

  @Override
  public Optional<ReceivedJob> receive(String queue, Duration timeout, String... types) {
    Names.checkQueue(queue);
    for (String type : types) {
      Names.checkType(type);
    }
    SynchronousReceive.Received received =
        engine.synchronousReceive().receive(queue, checked(timeout), List.of(types));
    return received == null
        ? Optional.empty()
        : Optional.of(
            new JobInTransaction(
                StoredJob.of(received.job(), json, received::unreadable), received::decide));
  }

  @Override
  public List<Job> browse(String queue, JobSelection selection) {
    Names.checkQueue(queue);
    String properties = json.writeProperties(selection.properties());
    return transactions.required(
        () ->
            new JobReads(transactions, QueueScope.ALL)
                .browse(queue, selection, properties).stream()
                    .<Job>map(job -> StoredJob.of(job, json))
                    .toList());
  }

  @Override
  public int purge(String queue) {
    Names.checkQueue(queue);
    return purge.purge(queue);
  }

  @Override
  public Optional<JobStatus> find(long id) {
    return found(finder -> finder.byId(id));
  }

  @Override
  public Optional<JobStatus> find(String uniqueKey) {
    NewJob.checkUniqueKey(uniqueKey);
    return found(finder -> finder.byUniqueKey(uniqueKey));
  }

  private Optional<JobStatus> found(Function<JobFinder, @Nullable Found> which) {
    JobFinder finder = new JobFinder(transactions);
    return transactions
        .required(() -> Optional.ofNullable(which.apply(finder)))
        .map(found -> new FoundJob(found, json));
  }

  @Override
  public List<JobStatus> findByCorrelationId(String correlationId, long after, int limit) {
    NewJob.checkPage(correlationId, limit);
    return transactions.required(
        () ->
            new JobFinder(transactions)
                .byCorrelationId(correlationId, after, limit).stream()
                    .<JobStatus>map(found -> new FoundJob(found, json))
                    .toList());
  }

  @Override
  public void runNow(long id) {
    control.runNow(id);
  }

  @Override
  public void reschedule(long id, Instant at) {
    control.reschedule(id, at);
  }

  @Override
  public void pause(String queue) {
    queues.pause(queue);
  }

  @Override
  public void resume(String queue) {
    queues.resume(queue);
  }

  @Override
  public boolean cancel(String uniqueKey) {
    return control.cancel(uniqueKey);
  }

  @Override
  public boolean cancel(long id) {
    return control.cancel(id);
  }

  @Override
  public void reset(long id) {
    control.reset(id, false);
  }

  @Override
  public JobReply await(long id, Duration timeout) {
    JobOutcomes.Answer outcome = endWaiter.await(id, checked(timeout));
    return new Reply(id, outcome.state(), outcome.result(), json);
  }

  private static Duration checked(Duration timeout) {
    if (timeout == null || timeout.isNegative()) {
      throw new JobRejectedException("timeout is " + timeout + "; specify PT0S or more");
    }
    return timeout;
  }

  private record Reply(long id, JobState state, @Nullable String json, Json reader)
      implements JobReply {
    @Override
    public <T> @Nullable T result(Class<T> as) {
      return reader.resultOf(id, json, as);
    }
  }
}
