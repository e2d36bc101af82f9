package org.readpast.runtime;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.KeyRotation;
import org.readpast.admin.Reports;
import org.readpast.admin.RuleControl;
import org.readpast.admin.store.Rules;
import org.readpast.database.Outage;
import org.readpast.engine.Engine;
import org.readpast.engine.EnginePorts;
import org.readpast.engine.HandlerDefinition;
import org.readpast.engine.HandlerRegistry;
import org.readpast.engine.Settings;
import org.readpast.model.Encryption;
import org.readpast.model.Owner;
import org.readpast.model.SchemaName;
import org.readpast.retention.Retention;
import org.readpast.schedule.ScheduleClock;
import org.readpast.schedule.ScheduleDeclarations;
import org.readpast.schedule.ScheduleDeclarations.Declared;
import org.readpast.schedule.ScheduleFiring;
import org.readpast.telemetry.Telemetry;

/**
 * Prepares the engine with its application, starts it when {@link EngineTimer} reports that all
 * beans are available, and ensures that it has drained and stopped before the container removes any
 * resource.
 */
@Singleton
@Startup
@TransactionManagement(TransactionManagementType.BEAN)
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
public class EngineBoot {
  private static final Logger LOG = System.getLogger(EngineBoot.class.getName());
  private static final long WATCH_MILLIS = 250;
  // Checks are rarer while no job runs, because each costs the server more time than the engine.
  private static final long WATCH_MILLIS_AT_REST = 500;
  private static final long TELEMETRY_MILLIS = 2_000;
  private static final long MAINTENANCE_MILLIS = MaintenanceTrigger.SECONDS * 1_000L;
  private static final long ERROR_PAUSE_NANOS = 5_000_000_000L;

  @Inject Configuration configuration;
  @Inject HandlerExtension extension;
  @Inject Callers callers;
  @Inject HandlerDefinitionFactory handlerFactory;
  @Inject ScheduleFactory scheduleFactory;
  @Inject JtaTransactions transactions;
  @Inject ContainerThreads threads;
  @Inject JobPreparer preparer;
  @Inject Json json;
  @Inject RunningEngine running;
  @Inject CdiJobObservers jobObservers;
  @Inject Telemetry telemetry;
  @Inject EncryptionFactory encryptionFactory;

  @Resource(lookup = "java:app/AppName")
  @Nullable String application;

  @Resource(lookup = "java:module/ModuleName")
  @Nullable String module;

  private Outage outage;
  private long nextTry = System.nanoTime();
  private final List<Future<?>> steps = new ArrayList<>();

  @PostConstruct
  void prepare() {
    ConfigurationErrors errors = configuration.errors();
    Owner owner = owner();
    extension.ownedBy(owner);
    callers.learnHandlers();
    Settings settings = configuration.settings(owner, handlerFactory.aliases(), errors);
    List<HandlerDefinition> handlers = handlerFactory.handlers(errors);
    Webhook webhook = configuration.webhook(errors);
    if (webhook != null) {
      handlers.add(webhook.handler());
    }
    Encryption encryption = encryptionFactory.encryption(errors);
    KeyRotation keyRotation = new KeyRotation(transactions, running);
    if (encryption.hasCipher()) {
      handlers.add(keyRotation.handler());
    }
    List<Declared> declared = new ArrayList<>(scheduleFactory.declared(errors));
    configuration.rules(errors).forEach(rule -> declared.add(RuleControl.declared(rule)));
    QueueRolesReader.read(ConfigProvider.getConfig(), errors);
    Duration startGrace = configuration.startGrace(errors);
    errors.report();
    String unknown = configuration.unknownKeys();
    if (unknown != null) {
      LOG.log(
          Level.WARNING,
          "READPAST-0031 unknown configuration keys are ignored; correct or remove them: {0}",
          unknown);
    }
    if (owner.versioned() && extension.namesByDefault()) {
      LOG.log(
          Level.WARNING,
          "READPAST-0032 the name of application ''{0}'' seems to contain a version, and the"
              + " default names of methods start with it, so another version would not run"
              + " their jobs. Deploy the application under a name without its version, or name"
              + " the job types and schedules explicitly",
          owner.name());
    }
    outage = new Outage(owner.application(), settings.node());
    DataSource business = DataSources.find(configuration.dataSource());
    DataSource system = DataSources.find(configuration.systemDataSource());
    IsolationLevels levels =
        new IsolationLevels()
            .with("readpast.datasource", configuration.dataSource(), business)
            .with("readpast.datasource.system", configuration.systemDataSource(), system);
    SchemaName schema = configuration.schemaName();
    new Schema(business, schema)
        .prepare(system, levels::require, configuration.schemaAuto(), startGrace);
    transactions.encryptWith(encryption);
    keyRotation.check();
    HandlerRegistry registry = new HandlerRegistry(handlers, settings);
    ScheduleDeclarations schedules =
        new ScheduleDeclarations(transactions, settings, declared, new Rules(transactions));
    JobEventDispatcher eventDispatcher =
        new JobEventDispatcher(
            jobObservers,
            new JobEventReader(transactions, json::readProperties),
            threads,
            settings.retention());
    Engine engine =
        new Engine(
            settings,
            registry,
            new EnginePorts(
                transactions,
                threads,
                () ->
                    settings.notices() ? new PgNotices(system, schema, outage) : new QuietNotices(),
                preparer::prepare,
                json::readProperties,
                preparer::result,
                telemetry.instrumentation(),
                eventDispatcher,
                enqueuer -> new Reports(transactions, enqueuer, registry.knows(Reports.WEBHOOK)),
                enqueuer ->
                    new ScheduleClock(
                        new ScheduleFiring(transactions, enqueuer), schedules, outage),
                schedules::declare,
                outage));
    declared.stream()
        .flatMap(one -> Stream.ofNullable(one.schedule()))
        .forEach(engine::checkLatestStart);
    running.set(
        engine,
        eventDispatcher,
        new Retention(settings, transactions, engine.signals(), outage),
        keyRotation);
  }

  /**
   * Starts the engine that {@link #prepare()} has created, after its threads have the context that
   * they need.
   *
   * @return true if nothing is left to be started
   */
  public synchronized boolean start() {
    Engine engine = running.get();
    if (engine == null || !threads.haveContext()) {
      return false;
    }
    String refusal = extension.refusal();
    if (refusal != null) {
      LOG.log(Level.ERROR, "{0}. The engine does not start", refusal);
      return true;
    }
    if (steps.isEmpty() && !engine.draining() && started(engine)) {
      Settings settings = engine.settings();
      long beat = settings.heartbeat().toMillis();
      steps.add(threads.every(() -> beat, guarded(engine::beat)));
      LongSupplier watch = () -> engine.holdsNoJobs() ? WATCH_MILLIS_AT_REST : WATCH_MILLIS;
      steps.add(threads.every(watch, guarded(engine::check)));
      steps.add(threads.every(watch, guarded(engine::relieveReceivers)));
      steps.add(threads.every(() -> TELEMETRY_MILLIS, guarded(telemetry::update)));
      steps.add(threads.every(() -> MAINTENANCE_MILLIS, guarded(this::maintainIfTimerIsLate)));
    }
    return !steps.isEmpty() || engine.draining();
  }

  private Owner owner() {
    String name = application == null ? "readpast" : application;
    return new Owner(name, module == null ? name : module);
  }

  private boolean started(Engine engine) {
    if (System.nanoTime() - nextTry < 0) {
      return false;
    }
    try {
      telemetry.start(owner());
      engine.start();
      return true;
    } catch (RuntimeException e) {
      nextTry = System.nanoTime() + ERROR_PAUSE_NANOS;
      outage.log(
          LOG, Level.ERROR, "READPAST-0008 the engine could not start; it tries again in 5 s", e);
      return false;
    }
  }

  private void maintainIfTimerIsLate() {
    MaintenanceTrigger maintenance = running.maintenanceTrigger();
    if (maintenance.timerIsLate()) {
      // A server may run all recurring steps on one thread, and heartbeats must not wait.
      threads.tryStart(guarded(maintenance::run));
    }
  }

  private Runnable guarded(Runnable step) {
    // The server never runs a scheduled task again after it has thrown an exception.
    return () -> {
      try {
        step.run();
      } catch (Throwable t) {
        outage.log(
            LOG,
            Level.ERROR,
            "READPAST-0007 a recurring step of the engine failed; the engine runs it"
                + " again at its next time",
            t);
      }
    };
  }

  @PreDestroy
  synchronized void stop() {
    running.stop();
    steps.forEach(step -> step.cancel(false));
    telemetry.stop();
  }
}
