package org.readpast.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.readpast.api.JobQueue;
import org.readpast.api.JobState;
import org.readpast.model.StoredType;
import org.readpast.runtime.JobPreparer;
import org.readpast.runtime.Json;
import org.readpast.runtime.NodeQueue;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Runs the conformance tests with the real engine, one job at a time. */
class EngineConformanceIT extends QueueConformance {
  private static final Duration SOON = Duration.ofSeconds(20);

  @Override
  QueueUnderTest make() {
    return new OnPostgres();
  }

  private static final class OnPostgres implements QueueUnderTest {
    private final Json json = new Json();
    private final JobPreparer preparer = JobPreparer.with(json, 1024 * 1024);
    private final Database database = TestDatabase.withTables();
    private final TestNode node =
        new TestNode(database).concurrency(1).writes(preparer::prepare, preparer::result);
    private JobQueue jobs;

    @Override
    public void handler(Registered handler) {
      for (StoredType type : handler.types()) {
        node.handles(
            type.stored(),
            handler.mode(),
            handler.retries(),
            Duration.ofSeconds(20),
            (payload, context) ->
                handler
                    .call()
                    .with(
                        json.payloadOf(
                            context.id(), type, context.contentType(), payload, handler.payload()),
                        context));
      }
    }

    @Override
    public void start() {
      node.start();
      jobs = NodeQueue.of(node, json, preparer);
    }

    @Override
    public JobQueue jobs() {
      return jobs;
    }

    @Override
    public <T> T transaction(Callable<T> doing) throws Exception {
      List<T> result = new ArrayList<>();
      node.transactions()
          .inHandlerTransaction(
              SOON,
              () -> {
                result.add(doing.call());
                return node.transactions().committable();
              });
      return result.get(0);
    }

    @Override
    public JobState state(long id) {
      return JobState.valueOf(TestDatabase.stateOf(database, id));
    }

    @Override
    public int attempt(long id) {
      return Integer.parseInt(
          TestDatabase.value(
              database,
              "select attempt from (select id, attempt from readpast_job union all select id,"
                  + " attempt from readpast_job_history) j where id = "
                  + id));
    }

    @Override
    public void await(long id, JobState state) {
      Await.until(SOON, "job " + id + " " + state + ", but " + state(id), () -> state(id) == state);
    }

    @Override
    public void close() {
      node.close();
    }
  }
}
