package org.readpast.modeltest;

import static java.util.Comparator.comparing;
import static org.assertj.core.api.Assertions.fail;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.readpast.admin.Audit;
import org.readpast.admin.BatchControl;
import org.readpast.admin.JobControl;
import org.readpast.admin.QueueControl;
import org.readpast.api.Backoff;
import org.readpast.api.JobState;
import org.readpast.engine.Signals;
import org.readpast.engine.StepNode;
import org.readpast.model.NewJob;
import org.readpast.model.RetryPolicy;
import org.readpast.store.ClaimedJob;
import org.readpast.support.Database;
import org.readpast.support.IgnoredSignals;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/**
 * Holds two nodes and an operator on one database, and the model with the expected results of their
 * steps.
 */
final class World {
  static final String FAST = "t";
  static final String LIMITED_TYPE = "l";
  static final List<String> TYPES = List.of(FAST, "u", LIMITED_TYPE);

  /** Names a queue with a limit across all nodes. */
  static final String LIMITED = "limited";

  /** Names a queue that contains exactly the jobs of the type that has a limit across all nodes. */
  static final String OF_LIMITED_TYPE = "typed";

  private static final String FORGET =
      """
      delete from readpast_job; delete from readpast_job_history; delete from readpast_failure;
      delete from readpast_lease; delete from readpast_cancellation; delete from readpast_predecessor;
      delete from readpast_hold; delete from readpast_dependency_event; delete from readpast_callback;
      delete from readpast_wave; delete from readpast_batch_queue; delete from readpast_batch;
      delete from readpast_node;
      delete from readpast_queue; delete from readpast_group; delete from readpast_audit;
      delete from readpast_release;
      insert into readpast_queue (name) values ('q'), ('limited'), ('typed'), ('unkept')""";

  private static final long DUE_WITHIN = 900;
  // Autovacuum runs only after thousands of rows are dead.
  private static final int VACUUM_AFTER = 100;

  private static Site site;

  /** Holds the state that all sequences share. */
  static final class Site {
    final Connection connection;
    final LocalTransactions transactions;
    final StepNode[] nodes;
    final JobControl jobs;
    final BatchControl batches;
    final QueueControl queues;
    final List<LogRecord> troubles = new ArrayList<>();
    int sequences;

    Site() throws SQLException {
      Database database = TestDatabase.withTables();
      TickingClock.install(database);
      connection = database.connect();
      transactions = new LocalTransactions(database);
      RetryPolicy retries =
          new RetryPolicy(
              Model.USUAL_ATTEMPTS,
              Backoff.FIXED,
              Duration.ofSeconds(30),
              Duration.ofHours(1),
              0,
              List.of());
      nodes =
          new StepNode[] {
            new StepNode("A", transactions, retries, TYPES, Model.UNKEPT),
            new StepNode("B", transactions, retries, TYPES, Model.UNKEPT)
          };
      nodes[0].registerTypes();
      for (StepNode node : nodes) {
        node.limitType(LIMITED_TYPE);
      }
      Audit audit = new Audit(transactions, () -> "operator");
      Signals deaf = new IgnoredSignals();
      jobs = new JobControl(transactions, deaf, audit);
      batches = new BatchControl(transactions, deaf, job -> job, audit);
      queues = new QueueControl(transactions, deaf, audit);
      listenForTroubles();
    }

    /**
     * Records exceptions that the engine logs and retries. Logged exceptions must not occur in this
     * test.
     */
    private void listenForTroubles() {
      java.util.logging.Logger.getLogger("org.readpast.engine")
          .addHandler(
              new Handler() {
                @Override
                public void publish(LogRecord entry) {
                  if (entry.getThrown() != null) {
                    troubles.add(entry);
                  }
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
              });
      java.util.logging.Logger.getLogger("org.readpast.engine").setUseParentHandlers(false);
    }
  }

  /** Represents a claim of a node, which may no longer own its job. */
  record HeldClaim(int node, ClaimedJob claim, ModelJob job) {}

  final Site on;
  final Model model = new Model();
  final List<HeldClaim> hands = new ArrayList<>();
  final Map<String, Boolean> paused = new HashMap<>();
  final WorkSteps work = new WorkSteps(this);
  final OperatorSteps operator = new OperatorSteps(this);
  private final List<String> story = new ArrayList<>();
  private final long began;

  World() {
    on = site();
    try (var statement = on.connection.createStatement()) {
      statement.execute(FORGET);
      if (++on.sequences % VACUUM_AFTER == 0) {
        statement.execute("vacuum (truncate false)");
      }
      try (var rows = statement.executeQuery("select nextval('test_clock.tick')")) {
        rows.next();
        began = rows.getLong(1);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    on.troubles.clear();
    for (int node = 0; node < on.nodes.length; node++) {
      on.nodes[node].forget();
      register(node);
    }
  }

  private static synchronized Site site() {
    if (site == null) {
      try {
        site = new Site();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
    return site;
  }

  final void register(int node) {
    model.register(on.nodes[node].register());
  }

  static String nameOf(int node) {
    return node == 0 ? "A" : "B";
  }

  /** Runs one step, and compares its results with the model. */
  void perform(String what, Runnable step) {
    story.add(what);
    try {
      step.run();
      if (!on.troubles.isEmpty()) {
        throw new AssertionError(on.troubles.get(0).getMessage(), on.troubles.get(0).getThrown());
      }
      check();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(description() + "\n" + e.getMessage(), e);
    }
  }

  /** Adds a string to the description of the last step. */
  void came(String of) {
    story.set(story.size() - 1, story.get(story.size() - 1) + " -> " + of);
  }

  private String description() {
    StringBuilder description = new StringBuilder("The steps:\n");
    for (int i = 0; i < story.size(); i++) {
      description.append("  ").append(i + 1).append(". ").append(story.get(i)).append('\n');
    }
    return description.toString();
  }

  void advance(Duration by) {
    // Before the clock jumps, the nodes read the releases, because in reality nodes miss none.
    for (StepNode node : on.nodes) {
      node.readReleases();
    }
    try (PreparedStatement statement = on.connection.prepareStatement(TickingClock.ADVANCE)) {
      statement.setLong(1, by.toMillis());
      statement.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    model.now += by.toMillis();
  }

  /** Converts ms since the start of the sequence to a time of the database's clock. */
  Instant instant(long moment) {
    return Instant.EPOCH.plus(began, ChronoUnit.MICROS).plusMillis(moment);
  }

  Snapshot look() {
    try {
      return Snapshot.of(on.connection, began);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private String called(String what) {
    String[] words = what.split(" ");
    if (words.length == 2 && words[1].matches("\\d+")) {
      ModelJob job = model.jobs.get(Long.parseLong(words[1]));
      return job == null ? what : words[0] + " " + job;
    }
    return what;
  }

  /** Checks that the database has the same state as the model. */
  private void check() {
    Snapshot is = look();
    // If several batches finish together, their callbacks can occur in any order.
    model.order.toCall.entrySet().stream()
        .sorted(comparing(call -> is.called.getOrDefault(call.getKey(), Long.MAX_VALUE)))
        .forEach(call -> adopt(is, call.getKey(), call.getValue()));
    model.order.toCall.clear();
    Map<String, String> must = Snapshot.expected(model, paused);
    if (!is.said.equals(must)) {
      List<String> differences = new ArrayList<>();
      TreeSet<String> all = new TreeSet<>(is.said.keySet());
      all.addAll(must.keySet());
      for (String what : all) {
        if (!Objects.equals(is.said.get(what), must.get(what))) {
          differences.add(
              "%s is '%s', but should be '%s'"
                  .formatted(called(what), is.said.get(what), must.get(what)));
        }
      }
      fail(String.join("\n", differences));
    }
    checkPlaces(is);
  }

  /** Adds the job of a callback to the model, which does not know the id of the job. */
  private void adopt(Snapshot is, String callback, Model.ModelBatch batch) {
    Long id = is.called.get(callback);
    if (id == null) {
      fail("the callback %s was not called".formatted(callback));
    }
    NewJob job = batch.callbacks.get(callback.substring(callback.lastIndexOf(' ') + 1));
    came(callback + " becomes " + model.add(id, job, List.of()));
  }

  private void checkPlaces(Snapshot is) {
    Map<String, TreeMap<Long, ModelJob>> lanes = new TreeMap<>();
    for (ModelJob job : model.jobs(ModelJob::waits)) {
      Snapshot.Place place = is.places.get(job.id);
      if (Math.abs(place.due() - job.due) > job.dueWithin) {
        fail("%s is due at %d, but should be at %d".formatted(job, place.due(), job.due));
      }
      if (job.dueWithin > DUE_WITHIN) {
        // The lengths of pauses are random.
        job.due = place.due();
      }
      if (job.state == JobState.AVAILABLE) {
        lanes
            .computeIfAbsent(
                job.queue + " " + job.type + " " + job.priority, lane -> new TreeMap<>())
            .put(place.position(), job);
      }
    }
    lanes.forEach((lane, jobs) -> checkLane(lane, jobs.values()));
  }

  private static void checkLane(String lane, Collection<ModelJob> inOrder) {
    ModelJob last = null;
    for (ModelJob job : inOrder) {
      if (last != null && last.place > job.place) {
        fail("in lane %s the order is %s: %s before %s".formatted(lane, inOrder, job, last));
      }
      last = job;
    }
  }
}
