package org.readpast.runtime;

import java.util.ArrayList;
import java.util.List;
import org.readpast.admin.BatchControl;
import org.readpast.admin.BatchControl.Event;
import org.readpast.admin.store.BatchAdmin.Action;
import org.readpast.api.Batch;
import org.readpast.api.BatchFailure;
import org.readpast.api.JobRequest;
import org.readpast.engine.Enqueuer;
import org.readpast.model.NewJob;

/** Implements the batch that applications see. */
record NamedBatch(String name, JobPreparer preparer, Enqueuer enqueuer, BatchControl batches)
    implements Batch {

  @Override
  public Batch failurePolicy(BatchFailure policy) {
    batches.define(name, policy);
    return this;
  }

  @Override
  public Batch wave(int number, Object... jobs) {
    List<NewJob> prepared = new ArrayList<>();
    for (Object job : jobs) {
      if (job instanceof Iterable<?> many) {
        many.forEach(one -> prepared.add(prepare(number, one)));
      } else {
        prepared.add(prepare(number, job));
      }
    }
    enqueuer.enqueue(prepared);
    return this;
  }

  private NewJob prepare(int number, Object job) {
    return preparer.prepare(JobRequest.of(job).batch(name, number));
  }

  @Override
  public Batch onSuccess(Object job) {
    return on(Event.SUCCESS, job);
  }

  @Override
  public Batch onDiscard(Object job) {
    return on(Event.DISCARD, job);
  }

  @Override
  public Batch onFinish(Object job) {
    return on(Event.FINISH, job);
  }

  private Batch on(Event event, Object job) {
    batches.callback(name, event, preparer.prepare(job));
    return this;
  }

  @Override
  public void seal() {
    batches.define(name, null);
    batches.request(Action.SEAL, name);
  }
}
