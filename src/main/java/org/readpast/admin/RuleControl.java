package org.readpast.admin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.RuleRuns;
import org.readpast.admin.store.Rules;
import org.readpast.admin.store.Searches;
import org.readpast.api.JobRequest;
import org.readpast.api.NotFoundException;
import org.readpast.api.StateConflictException;
import org.readpast.database.Transactions;
import org.readpast.engine.Signals;
import org.readpast.model.Names;
import org.readpast.model.NewJob;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueScope;
import org.readpast.model.Role;
import org.readpast.model.Rule;
import org.readpast.model.ScheduleDefinition;
import org.readpast.schedule.ScheduleDeclarations.Declared;
import org.readpast.schedule.Schedules;

/** Defines and reads rules, and starts their runs. */
public final class RuleControl implements Scoped<RuleControl> {
  /** Names the type of the job that runs a rule; its payload is {@code {"rule":"<name>"}}. */
  public static final String JOB_TYPE = "readpast.rule";

  /** Names the queue of the jobs that run rules. */
  public static final String QUEUE = "readpast";

  private final Transactions transactions;
  private final SqlAccess access;
  private final JobIntake intake;
  private final Signals signals;
  private final Audit audit;
  private final Schedules schedules;
  private final Rules rules;
  private final RuleRuns runs;
  private final Searches searches;
  private final QueueAccess callers;

  public RuleControl(
      Transactions transactions, SqlAccess access, JobIntake intake, Signals signals, Audit audit) {
    this(transactions, access, intake, signals, audit, QueueAccess.EVERYTHING);
  }

  private RuleControl(
      Transactions transactions,
      SqlAccess access,
      JobIntake intake,
      Signals signals,
      Audit audit,
      QueueAccess callers) {
    this.callers = callers;
    this.transactions = transactions;
    this.access = access;
    this.intake = intake;
    this.signals = signals;
    this.audit = audit;
    this.schedules = new Schedules(transactions);
    this.rules = new Rules(transactions);
    this.runs = new RuleRuns(transactions);
    this.searches = new Searches(transactions, access.timeout());
  }

  @Override
  public RuleControl within(QueueAccess caller) {
    return new RuleControl(transactions, access, intake, signals, audit, caller);
  }

  /** Returns the rules that create jobs in visible queues, ordered by name. */
  public List<Rules.Stored> all() {
    return transactions.required(() -> rules.all(callers.seen()));
  }

  /** Holds a rule and its latest run, which is null if the rule has never run. */
  public record RuleWithRun(Rules.Stored rule, RuleRuns.@Nullable Report run) {}

  /** Returns the rules that create jobs in visible queues with their latest runs, by name. */
  public List<RuleWithRun> allWithRuns() {
    return transactions.required(
        () -> {
          List<Rules.Stored> stored = all();
          Map<String, RuleRuns.Report> latest =
              runs.latest(stored.stream().map(one -> one.rule().name()).toList());
          return stored.stream()
              .map(one -> new RuleWithRun(one, latest.get(one.rule().name())))
              .toList();
        });
  }

  /**
   * Returns a rule.
   *
   * @throws NotFoundException if the rule does not exist
   */
  public Rules.Stored get(String name) {
    Names.checkRule(name);
    return transactions.required(
        () -> {
          Rules.Stored found = rules.find(name, callers.seen());
          if (found == null) {
            throw NotFound.rule(
                name, rules.all(callers.seen()).stream().map(r -> r.rule().name()).toList());
          }
          return found;
        });
  }

  /**
   * Creates or replaces a rule. If the rule is enabled, the database prepares its search first.
   *
   * @return true if the rule is new
   * @throws org.readpast.model.SqlRefusedException if the search or the data source is not allowed
   * @throws UnknownTypeException if no engine has ever registered one of the job types
   * @throws StateConflictException if the configuration of a live node declares the rule
   */
  public boolean put(Rule rule) {
    refuseDeclared(rule.name());
    prepare(rule);
    return transactions.required(() -> write(rules.lock(rule.name()), rule));
  }

  /**
   * Changes a rule and compares it with its old state when writing, so that concurrent changes are
   * not lost.
   *
   * @param change changes the rule; may be called several times
   * @throws NotFoundException if the rule does not exist
   * @throws org.readpast.model.SqlRefusedException as {@link #put}
   * @throws UnknownTypeException as {@link #put}
   * @throws StateConflictException as {@link #put}
   */
  public void change(String name, UnaryOperator<Rule> change) {
    refuseDeclared(name);
    boolean written;
    do {
      Rule before = get(name).rule();
      Rule after = change.apply(before);
      // The rule is prepared before it is locked, because preparing it may take a long time.
      prepare(after);
      written =
          transactions.required(
              () -> {
                Rules.Stored now = rules.lock(name);
                boolean same = now != null && now.rule().equals(before);
                if (same) {
                  write(now, after);
                }
                return same;
              });
    } while (!written);
  }

  private void prepare(Rule rule) {
    if (rule.enabled()) {
      // A disabled rule is not prepared, because a user must be able to disable a rule that has
      // become invalid.
      searches.keyColumn(access.source(rule.dataSource()).dataSource(), rule);
    }
  }

  private boolean write(Rules.@Nullable Stored before, Rule rule) {
    intake.check(rule.types());
    boolean isNew = rules.put(rule, null);
    schedule(rule);
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("new", isNew);
    detail.putAll(Changes.between(before == null ? null : fields(before.rule()), fields(rule)));
    Set<String> queues = new TreeSet<>(Set.of(rule.queue()));
    if (before != null) {
      queues.add(before.rule().queue());
    }
    audit.did("rule.define", rule.name(), queues, detail);
    return isNew;
  }

  private static Map<String, @Nullable Object> fields(Rule rule) {
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("search", rule.search());
    detail.put("datasource", rule.dataSource());
    detail.put("type", rule.type());
    detail.put("queue", rule.queue());
    detail.put("priority", rule.priority());
    detail.put("computation", rule.computation());
    detail.put("schedule", rule.schedule());
    detail.put("enabled", rule.enabled());
    return detail;
  }

  private void schedule(Rule rule) {
    ScheduleDefinition filling = rule.filling(JOB_TYPE, QUEUE);
    if (filling != null) {
      schedules.define(filling, true);
    }
    transactions.afterCommit(signals::schedulesChanged);
  }

  /**
   * Returns the declaration of a rule by the configuration. The database prepares the search of a
   * declared rule only when the rule runs.
   */
  public static Declared declared(Rule rule) {
    return new Declared(
        rule.filling(JOB_TYPE, QUEUE), rule, "readpast.rule.\"" + rule.name() + "\"");
  }

  /**
   * Deletes a rule and the reports of its runs; the jobs that it has created are kept.
   *
   * @throws NotFoundException if the rule does not exist
   * @throws StateConflictException if the configuration of a live node declares the rule
   */
  public void delete(String name) {
    refuseDeclared(name);
    transactions.required(
        () -> {
          Rule rule = get(name).rule();
          audit.did(
              "rule.delete", name, List.of(rule.queue()), Changes.between(fields(rule), null));
          return rules.delete(name);
        });
  }

  /**
   * Starts a run of a rule.
   *
   * @return the job that runs the rule, which may be a job that was already waiting
   * @throws NotFoundException if the rule does not exist
   * @throws StateConflictException if the rule is disabled
   */
  public JobIntake.Taken run(String name) {
    Rule rule = get(name).rule();
    AccessDeniedException.require(callers, Role.OPERATOR, rule.queue());
    if (!rule.enabled()) {
      throw StateConflict.disabled(name);
    }
    access.source(rule.dataSource());
    NewJob filling =
        new NewJob(
            QUEUE,
            JOB_TYPE,
            JobRequest.DEFAULT_PRIORITY,
            null,
            null,
            null,
            null,
            JOB_TYPE + ":" + name,
            null,
            null,
            null,
            "{\"rule\":\"" + name + "\"}");
    return transactions.required(
        () -> {
          JobIntake.Taken taken = intake.enqueue(filling);
          audit.did("rule.run", name, List.of(rule.queue()), Map.of("job", taken.job().job().id()));
          return taken;
        });
  }

  /**
   * Returns the latest runs of a rule, newest first.
   *
   * @throws NotFoundException if the rule does not exist
   */
  public List<RuleRuns.Report> runs(String name, int most) {
    return transactions.required(
        () -> {
          get(name);
          return runs.latest(name, most);
        });
  }

  /** Returns the latest run of a rule, or null if it has never run. */
  public RuleRuns.@Nullable Report latest(String name) {
    return runs(name, 1).stream().findFirst().orElse(null);
  }

  private void refuseDeclared(String name) {
    Names.checkRule(name);
    Rules.Stored stored =
        transactions
            .required(() -> Optional.ofNullable(rules.find(name, QueueScope.ALL)))
            .orElse(null);
    if (stored != null && stored.declared()) {
      throw StateConflict.declared(name);
    }
  }
}
