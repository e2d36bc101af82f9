package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import org.readpast.admin.BatchControl;
import org.readpast.api.Batch;
import org.readpast.api.Enqueued;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.engine.Enqueuer;
import org.readpast.model.NewJob;

/** The queue as applications see it. */
@ApplicationScoped
public class JobQueueBean implements JobQueue {
  @Inject Preparation preparation;
  @Inject Enqueuer enqueuer;
  @Inject BatchControl batches;

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
    return new NamedBatch(name, preparation, enqueuer, batches);
  }
}
