package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.ConfigProvider;
import org.readpast.admin.About;
import org.readpast.admin.Audit;
import org.readpast.admin.BatchControl;
import org.readpast.admin.Browser;
import org.readpast.admin.Bulk;
import org.readpast.admin.EncryptionControl;
import org.readpast.admin.EndWaiter;
import org.readpast.admin.IdempotentRequests;
import org.readpast.admin.JobControl;
import org.readpast.admin.JobIntake;
import org.readpast.admin.Limits;
import org.readpast.admin.NodeControl;
import org.readpast.admin.Overview;
import org.readpast.admin.Purge;
import org.readpast.admin.QueueControl;
import org.readpast.admin.Reasons;
import org.readpast.admin.RuleControl;
import org.readpast.admin.RuleFill;
import org.readpast.admin.ScheduleControl;
import org.readpast.admin.SqlAccess;
import org.readpast.admin.SqlWork;
import org.readpast.admin.Throughput;
import org.readpast.admin.TypeControl;
import org.readpast.database.Transactions;
import org.readpast.engine.Enqueuer;
import org.readpast.engine.Signals;
import org.readpast.model.MaskedFields;
import org.readpast.model.QueueRoles;

/** Produces the beans of the {@code admin} package, which execute the requests of users. */
@ApplicationScoped
public class AdminProducer {
  @Inject Transactions transactions;
  @Inject Enqueuer enqueuer;
  @Inject Signals signals;
  @Inject RunningEngine engine;
  @Inject Configuration configuration;
  @Inject CallerName caller;

  @Produces
  @Singleton
  Limits limits() {
    return Limits.ofPayload(configuration.payloadMaxSize());
  }

  @Produces
  @Singleton
  MaskedFields maskedFields() {
    return configuration.masked();
  }

  /** Reads the roles of each queue; {@link EngineBoot} reports the errors. */
  @Produces
  @Singleton
  QueueRoles queueRoles() {
    return QueueRolesReader.read(ConfigProvider.getConfig(), configuration.errors());
  }

  @Produces
  @Singleton
  Audit audit() {
    return new Audit(transactions, caller::get);
  }

  @Produces
  @Singleton
  About about() {
    return new About(
        transactions, Configuration.version(), new ConfigurationInForce(configuration)::read);
  }

  @Produces
  @Singleton
  Browser browser() {
    return new Browser(transactions, new Reasons(transactions, engine::settings));
  }

  @Produces
  @Singleton
  Overview overview() {
    return new Overview(transactions);
  }

  @Produces
  @Singleton
  Throughput throughput() {
    return new Throughput(transactions);
  }

  @Produces
  @Singleton
  JobIntake jobIntake() {
    return new JobIntake(transactions, enqueuer, engine::storedType);
  }

  @Produces
  @Singleton
  EndWaiter endWaiter() {
    return new EndWaiter(transactions, engine::endSignals);
  }

  @Produces
  @Singleton
  EncryptionControl encryptionControl(Audit audit) {
    return new EncryptionControl(transactions, enqueuer, audit);
  }

  @Produces
  @Singleton
  JobControl jobControl(Audit audit) {
    return new JobControl(transactions, signals, audit);
  }

  @Produces
  @Singleton
  Bulk bulk(JobControl control, JobIntake intake, Audit audit) {
    return new Bulk(transactions, signals, control, intake, audit);
  }

  @Produces
  @Singleton
  Purge purge(Audit audit) {
    return new Purge(transactions, signals, audit);
  }

  @Produces
  @Singleton
  QueueControl queueControl(Audit audit) {
    return new QueueControl(transactions, signals, audit);
  }

  @Produces
  @Singleton
  NodeControl nodeControl(Audit audit) {
    return new NodeControl(transactions, audit);
  }

  @Produces
  @Singleton
  TypeControl typeControl(Audit audit) {
    return new TypeControl(transactions, audit);
  }

  @Produces
  @Singleton
  BatchControl batchControl(Audit audit) {
    return new BatchControl(transactions, signals, engine::signed, audit);
  }

  @Produces
  @Singleton
  ScheduleControl scheduleControl(Audit audit) {
    return new ScheduleControl(transactions, enqueuer, signals, engine::checkLatestStart, audit);
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
    return new RuleFill(
        transactions, access, signals, engine::storedType, configuration.payloadMaxSize());
  }

  @Produces
  @Singleton
  RuleControl ruleControl(SqlAccess access, JobIntake intake, Audit audit) {
    return new RuleControl(transactions, access, intake, signals, audit);
  }

  @Produces
  @Singleton
  IdempotentRequests idempotentRequests() {
    return new IdempotentRequests(transactions);
  }
}
