package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.readpast.admin.BatchControl;
import org.readpast.admin.Browser;
import org.readpast.admin.BulkReset;
import org.readpast.admin.IdempotentRequests;
import org.readpast.admin.JobControl;
import org.readpast.admin.JobIntake;
import org.readpast.admin.Limits;
import org.readpast.admin.Purge;
import org.readpast.admin.QueueControl;
import org.readpast.admin.RuleControl;
import org.readpast.admin.RuleFill;
import org.readpast.admin.ScheduleControl;
import org.readpast.admin.SqlAccess;
import org.readpast.admin.SqlWork;
import org.readpast.engine.Enqueuer;
import org.readpast.engine.Signals;
import org.readpast.store.Transactions;

/** Makes what people may do injectable. */
@ApplicationScoped
public class AdminProducer {
  @Inject Transactions transactions;
  @Inject Enqueuer enqueuer;
  @Inject Signals signals;
  @Inject RunningEngine engine;
  @Inject Configuration configuration;

  @Produces
  @Singleton
  Limits limits() {
    return Limits.ofPayload(configuration.payloadMaxSize());
  }

  @Produces
  @Singleton
  Browser browser() {
    return new Browser(transactions);
  }

  @Produces
  @Singleton
  JobIntake jobIntake() {
    return new JobIntake(transactions, enqueuer);
  }

  @Produces
  @Singleton
  JobControl jobControl() {
    return new JobControl(transactions, signals);
  }

  @Produces
  @Singleton
  BulkReset bulkReset(JobControl control) {
    return new BulkReset(transactions, control);
  }

  @Produces
  @Singleton
  Purge purge() {
    return new Purge(transactions, signals);
  }

  @Produces
  @Singleton
  QueueControl queueControl() {
    return new QueueControl(transactions, signals);
  }

  @Produces
  @Singleton
  BatchControl batchControl() {
    return new BatchControl(transactions, signals);
  }

  @Produces
  @Singleton
  ScheduleControl scheduleControl() {
    return new ScheduleControl(transactions, enqueuer, signals, engine::checkLatestStart);
  }

  @Produces
  @Singleton
  SqlAccess sqlAccess() {
    return new SqlAccess(configuration.sqlAllowed(), DataSources::find);
  }

  @Produces
  @Singleton
  SqlWork sqlWork(SqlAccess access) {
    return new SqlWork(transactions, access);
  }

  @Produces
  @Singleton
  RuleFill ruleFill(SqlAccess access) {
    return new RuleFill(transactions, access, signals, configuration.payloadMaxSize());
  }

  @Produces
  @Singleton
  RuleControl ruleControl(SqlAccess access, JobIntake intake) {
    return new RuleControl(transactions, access, intake, signals, configuration.ruleNames());
  }

  @Produces
  @Singleton
  IdempotentRequests idempotentRequests() {
    return new IdempotentRequests(transactions);
  }
}
