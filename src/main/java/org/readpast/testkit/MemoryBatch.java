package org.readpast.testkit;

import java.util.ArrayList;
import java.util.List;
import org.readpast.api.Batch;
import org.readpast.api.BatchFailure;
import org.readpast.api.JobRequest;
import org.readpast.model.NewJob;

/** Implements the batch for the code under test. */
record MemoryBatch(String name, MemoryQueue queue) implements Batch {

  @Override
  public Batch failurePolicy(BatchFailure policy) {
    queue.change(memory -> memory.define(name, policy));
    return this;
  }

  @Override
  public Batch wave(int number, Object... jobs) {
    List<JobRequest> all = new ArrayList<>();
    for (Object job : jobs) {
      if (job instanceof Iterable<?> many) {
        many.forEach(one -> all.add(request(number, one)));
      } else {
        all.add(request(number, job));
      }
    }
    queue.enqueueAll(all);
    return this;
  }

  private JobRequest request(int number, Object job) {
    return JobRequest.of(job).batch(name, number);
  }

  @Override
  public Batch onSuccess(Object job) {
    return on("SUCCESS", job);
  }

  @Override
  public Batch onDiscard(Object job) {
    return on("DISCARD", job);
  }

  @Override
  public Batch onFinish(Object job) {
    return on("FINISH", job);
  }

  private Batch on(String event, Object job) {
    NewJob prepared = queue.prepare(job);
    prepared.checkCallback();
    queue.change(memory -> memory.define(name, null).callbacks.putIfAbsent(event, prepared));
    return this;
  }

  @Override
  public void seal() {
    queue.change(
        memory -> {
          memory.define(name, null).sealAsked = true;
          return null;
        });
  }
}
