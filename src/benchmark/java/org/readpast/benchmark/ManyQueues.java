package org.readpast.benchmark;

import jakarta.enterprise.context.ApplicationScoped;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.StubMethod;
import org.jboss.shrinkwrap.api.asset.ByteArrayAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.readpast.api.Handles;
import org.readpast.api.JobType;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Measures what many known queues, in which jobs of many types were processed, cost while they are
 * idle.
 */
final class ManyQueues implements Measures {
  private static final int TYPES = 100;
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final String HANDLERS = "org.readpast.benchmark.app.ManyHandlers";

  private final TestPostgres postgres;
  private final int workers;
  private final int queues;
  private final int warmUp;
  private final double seconds;
  private final String name;

  ManyQueues(TestPostgres postgres, int workers, Sizes sizes) {
    this.postgres = postgres;
    this.workers = workers;
    queues = sizes.of(5_000);
    warmUp = sizes.of(50_000);
    // The time is long enough to include the pruning of the history, which happens every minute.
    seconds = sizes.seconds(60, 10);
    name = String.format(Locale.ROOT, "idle, %,d queues with %d types", queues, TYPES);
  }

  private String heap() {
    return name + ", growth of the heap per node";
  }

  private String statements() {
    return name + ", statements/s per node";
  }

  private String processors() {
    return name + ", share of one CPU core in PostgreSQL";
  }

  private String left() {
    return name + ", jobs not processed";
  }

  @Override
  public void take(Results results) throws Exception {
    Database database = postgres.newDatabase();
    Meter meter = new Meter(postgres, database);
    try (Readpast readpast =
        new Readpast(
            "many-queues",
            postgres,
            database,
            workers,
            ManyQueues::withHandlers,
            // The heap is so large that excessive use shows as a figure and not as a crash of the
            // server.
            spec ->
                spec.withJvmOptions("-Xmx2g")
                    .withProperty("readpast.retention.completed", "PT0S"))) {
      readpast.create(Readpast.QUEUE);
      readpast.drain(Readpast.QUEUE, "bench.leased", warmUp);
      rest();
      double before = readpast.heap();
      results.add(left(), "jobs", work(readpast));
      rest();
      long nodes = nodes(database);
      results.add(heap(), "MB", (readpast.heap() - before) / nodes);
      measureIdle(results, meter, nodes);
    }
  }

  /** Adds a bean with a handler for each type. */
  private static WebArchive withHandlers(WebArchive war) {
    DynamicType.Builder<?> bean =
        new ByteBuddy()
            .subclass(Object.class)
            .name(HANDLERS)
            .annotateType(AnnotationDescription.Builder.ofType(ApplicationScoped.class).build());
    for (int type = 0; type < TYPES; type++) {
      bean =
          bean.defineMethod("handle" + type, void.class, Modifier.PUBLIC)
              .withParameters(String.class)
              .intercept(StubMethod.INSTANCE)
              .annotateMethod(
                  AnnotationDescription.Builder.ofType(Handles.class).build(),
                  AnnotationDescription.Builder.ofType(Receive.class)
                      .define("value", ReceiveMode.LEASED)
                      .build(),
                  AnnotationDescription.Builder.ofType(JobType.class)
                      .define("value", "bench.many-" + type)
                      .build());
    }
    war.add(
        new ByteArrayAsset(bean.make().getBytes()),
        "WEB-INF/classes/" + HANDLERS.replace('.', '/') + ".class");
    return war;
  }

  /** Processes a job of each type in each queue, and returns the number of jobs left. */
  private long work(Readpast readpast) {
    readpast.control("do=types&queue=many-&queues=" + queues + "&types=" + TYPES);
    try {
      Await.until(
          LIMIT,
          Duration.ofSeconds(1),
          "no job is left",
          () -> readpast.table().count("true") == 0);
      return 0;
    } catch (AssertionError e) {
      // The queues are known even if no jobs are processed in them.
      long left = readpast.table().count("true");
      readpast.table().clear();
      return left;
    }
  }

  private void measureIdle(Results results, Meter meter, long nodes) throws Exception {
    ProcessHandle postmaster = ProcessHandle.of(postgres.process().pid()).orElseThrow();
    Duration[] taken = {Duration.ZERO};
    Meter.Reading asked =
        meter.during(
            () -> {
              ProcessorTime before = ProcessorTime.of(postmaster);
              rest();
              taken[0] = ProcessorTime.of(postmaster).since(before);
              return taken;
            });
    results.add(statements(), "", asked.statements() / seconds / nodes);
    results.add(processors(), "%", 100 * taken[0].toNanos() / (seconds * 1e9));
  }

  private void rest() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep((long) (seconds * 1e3));
  }

  private static long nodes(Database database) {
    return TestDatabase.count(
        database, "select count(*) from readpast_node where state = 'ACTIVE'");
  }

  @Override
  public void aim(Results results) {
    results.atMost(left(), null, 0);
    results.atMost(heap(), null, 32);
    results.atMost(statements(), null, 2);
    results.atMost(processors(), null, 1);
  }
}
