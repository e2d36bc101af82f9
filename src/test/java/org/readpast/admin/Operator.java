package org.readpast.admin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.readpast.engine.Enqueuer;
import org.readpast.engine.Settings;
import org.readpast.engine.Signals;
import org.readpast.enqueue.Enqueues;
import org.readpast.model.NewJob;
import org.readpast.model.StoredType;
import org.readpast.support.Database;
import org.readpast.support.IgnoredSignals;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/** Acts as an operator on a database without a running engine. */
final class Operator implements AutoCloseable {
  final Database database = TestDatabase.withTables();
  final LocalTransactions transactions = new LocalTransactions(database);
  final List<String> signals = new ArrayList<>();
  String name = "operator";
  final Enqueuer enqueuer;
  final JobIntake intake;
  final JobControl control;
  final Bulk bulk;
  final QueueControl queues;
  final BatchControl batches;
  final Purge purge;
  final ScheduleControl schedules;
  final Audit audit = new Audit(transactions, () -> name);
  Settings configured;
  final Browser browser = new Browser(transactions, new Reasons(transactions, () -> configured));

  Operator() {
    Signals heard =
        new IgnoredSignals() {
          @Override
          public void queueChanged(String queue) {
            signals.add("changed " + queue);
          }

          @Override
          public void schedulesChanged() {
            signals.add("schedules changed");
          }

          @Override
          public void jobsAvailable(Collection<String> queues) {
            signals.add("available " + queues);
          }
        };
    Enqueues enqueues = new Enqueues(transactions);
    enqueuer =
        jobs -> {
          jobs.stream().map(NewJob::queue).distinct().forEach(enqueues::createQueue);
          return enqueues.insert(jobs);
        };
    intake = new JobIntake(transactions, enqueuer, type -> StoredType.of(type).stored());
    control = new JobControl(transactions, heard, audit);
    bulk = new Bulk(transactions, heard, control, intake, audit);
    queues = new QueueControl(transactions, heard, audit);
    batches = new BatchControl(transactions, heard, job -> job, audit);
    purge = new Purge(transactions, heard, audit);
    schedules = new ScheduleControl(transactions, enqueuer, heard, schedule -> {}, audit);
    database.execute("insert into readpast_type (name, max_attempts) values ('known', 5)");
  }

  static NewJob job(String queue, String uniqueKey) {
    return new NewJob(
        queue, "known", 4, null, null, null, null, uniqueKey, null, null, null, "{\"n\":1.10}");
  }

  long enqueued(String uniqueKey) {
    return intake.enqueue(job("q", uniqueKey)).job().job().id();
  }

  long discarded(String uniqueKey) {
    long id = enqueued(uniqueKey);
    control.cancel(id);
    database.execute(
        "update readpast_job_history set state = 'DISCARDED', attempt = 5, uncounted = 1 where id ="
            + " "
            + id);
    return id;
  }

  void audit(String action, String target) {
    transactions.required(() -> audit.did(action, target, Map.of()));
  }

  String value(String sql) {
    return TestDatabase.value(database, sql);
  }

  @Override
  public void close() {
    transactions.close();
  }
}
