package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.BatchControl;
import org.readpast.admin.EndWaiter;
import org.readpast.admin.JobControl;
import org.readpast.admin.Purge;
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
import org.readpast.api.ReadpastException;
import org.readpast.engine.Enqueuer;
import org.readpast.model.Names;
import org.readpast.model.NewJob;
import org.readpast.model.QueueScope;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Transactions;

/** The queue as applications see it. */
@ApplicationScoped
public class JobQueueBean implements JobQueue {
  @Inject Preparation preparation;
  @Inject Enqueuer enqueuer;
  @Inject JobControl control;
  @Inject EndWaiter endWaiter;
  @Inject RunningEngine engine;
  @Inject Transactions transactions;
  @Inject Purge purge;
  @Inject Json json;
  @Inject Callers callers;

  @Override
  public Enqueued enqueue(JobRequest request) {
    return enqueuer.enqueue(List.of(preparation.prepare(request))).get(0);
  }

  @Override
  public List<Enqueued> enqueueAll(Iterable<?> jobs) {
    List<NewJob> prepared = new ArrayList<>();
    jobs.forEach(job -> prepared.add(preparation.prepare(job)));
    return enqueuer.enqueue(prepared);
  }

  @Override
  public Batch batch(String name) {
    return new NamedBatch(
        name, preparation, enqueuer, new BatchControl(transactions, engine, callers::signed, null));
  }

  @Override
  public Optional<Job> receive(String queue, Duration timeout, String... types) {
    Names.checkQueue(queue);
    for (String type : types) {
      Names.checkType(type);
    }
    ClaimedJob job = engine.synchronousReceive().receive(queue, checked(timeout), List.of(types));
    return job == null ? Optional.empty() : Optional.of(StoredJob.of(job, json));
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
      throw new JobRejectedException("timeout is " + timeout + "; give PT0S or more");
    }
    return timeout;
  }

  private record Reply(long id, JobState state, @Nullable String json, Json reader)
      implements JobReply {
    @Override
    public <T> @Nullable T result(Class<T> as) {
      if (json == null) {
        return null;
      }
      try {
        return reader.readPayload(null, json, as);
      } catch (RuntimeException e) {
        throw new ReadpastException(
            "the result of job " + id + " does not fit " + as.getName() + ": " + e.getMessage(), e);
      }
    }
  }
}
