package org.readpast.admin;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.JobAdmin;
import org.readpast.admin.store.JobSearches;
import org.readpast.admin.store.RowSize;
import org.readpast.api.JobRequest;
import org.readpast.api.JobState;
import org.readpast.database.Transactions;
import org.readpast.engine.Signals;
import org.readpast.model.JobSearch;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueScope;
import org.readpast.model.Role;

/**
 * Applies one action to many jobs, in steps that are separate transactions. One call takes a second
 * or two, and returns the position at which the next call continues. Because a call returns after
 * each step, the caller can show the progress and can stop.
 */
public final class Bulk implements Scoped<Bulk> {
  private static final int AT_ONCE = 1_000;
  private static final int MOST_RECORDED_IDS = 100;
  private static final long LONGEST_NANOS = 1_500_000_000L;

  private final Transactions transactions;
  private final Signals signals;
  private final JobControl control;
  private final JobIntake intake;
  private final Audit audit;
  private final JobAdmin jobs;
  private final QueueAccess access;

  public Bulk(
      Transactions transactions,
      Signals signals,
      JobControl control,
      JobIntake intake,
      Audit audit) {
    this(transactions, signals, control, intake, audit, QueueAccess.EVERYTHING);
  }

  private Bulk(
      Transactions transactions,
      Signals signals,
      JobControl control,
      JobIntake intake,
      Audit audit,
      QueueAccess access) {
    this.intake = intake;
    this.transactions = transactions;
    this.signals = signals;
    this.control = control;
    this.audit = audit;
    this.access = access;
    this.jobs = new JobAdmin(transactions, signals);
  }

  @Override
  public Bulk within(QueueAccess caller) {
    return new Bulk(
        transactions, signals, control.within(caller), intake.within(caller), audit, caller);
  }

  /** Lists the actions that can be applied to many jobs. */
  public enum Action {
    /** Resets ended jobs to AVAILABLE, except COMPLETED ones. */
    RESET,
    /** Makes SCHEDULED jobs due now. */
    RUN,
    /** Cancels waiting jobs, and asks running jobs to end. */
    CANCEL,
    /** Deletes ended jobs. */
    DELETE,
    /** Changes the priority of waiting jobs. */
    PRIORITIZE,
    /** Changes the type of waiting jobs. */
    MOVE,
    /** Deletes the content of ended jobs; the other data about the jobs is kept. */
    ERASE
  }

  /**
   * Describes the requested change.
   *
   * @param priority 0 to 9, for PRIORITIZE
   * @param type the job type, with or without a version, for MOVE
   */
  public record Change(Action action, @Nullable Integer priority, @Nullable String type) {
    /** Creates a change other than MOVE. */
    public Change(Action action, @Nullable Integer priority) {
      this(action, priority, null);
    }
  }

  /**
   * Reports the result of one call.
   *
   * @param changed the number of jobs that were changed, or asked to end
   * @param found the number of jobs examined, including jobs whose state does not allow the action
   * @param next the id below which the next call continues, or null if all jobs are done
   * @param overlooksEncrypted true if encrypted jobs may match that were not found
   */
  public record Result(int changed, int found, @Nullable Long next, boolean overlooksEncrypted) {}

  /**
   * Applies the action to the given jobs.
   *
   * @throws UnknownTypeException if jobs are to be moved to a type that no engine has registered
   */
  public Result applyTo(Change requested, Collection<Long> ids) {
    Change change = withStoredType(requested);
    List<Long> sorted = ids.stream().distinct().sorted().toList();
    Audit.Ongoing entry = audit.begin("jobs." + verb(change), null, concerned(change, List.of()));
    Map<String, Object> detail = detail(change);
    detail.put("ids", sorted.stream().limit(MOST_RECORDED_IDS).toList());
    Map<String, Integer> changed = Map.of();
    for (List<Long> some : transactions.requiresNew(() -> pieces(change, sorted))) {
      Map<String, Integer> before = changed;
      changed = transactions.requiresNew(() -> apply(change, some, before, entry, detail));
    }
    return new Result(Changes.total(changed), sorted.size(), null, false);
  }

  /**
   * Applies the action to the matching jobs, starting at the newest job or below an id. Jobs that
   * are enqueued in the meantime are not changed.
   *
   * @throws UnknownTypeException if jobs are to be moved to a type that no engine has registered
   */
  public Result applyToMatching(Change requested, JobSearch search, @Nullable Long below) {
    Change change = withStoredType(requested);
    long end = System.nanoTime() + LONGEST_NANOS;
    Long next = below == null ? Long.valueOf(JobSearches.NEWEST) : below;
    Audit.Ongoing entry =
        audit.begin(
            "jobs." + verb(change),
            search.queues().size() == 1 ? search.queues().get(0) : null,
            concerned(change, search.queues()));
    JobSearches searches = new JobSearches(transactions, access.scope(role(change)));
    Map<String, Object> detail = detail(change);
    detail.put("matching", recorded(search));
    if (below != null) {
      detail.put("continued", true);
    }
    Map<String, Integer> changed = Map.of();
    int found = 0;
    do {
      long from = next;
      Map<String, Integer> before = changed;
      Step step =
          transactions.requiresNew(
              () -> {
                var matching = searches.ids(search, from, AT_ONCE);
                List<List<Long>> pieces = pieces(change, matching.found());
                // Jobs are locked in the order of their ids, so that two concurrent calls cannot
                // deadlock.
                List<Long> ids = pieces.stream().limit(1).flatMap(List::stream).sorted().toList();
                return new Step(
                    apply(change, ids, before, entry, detail),
                    ids.size(),
                    pieces.size() > 1 ? ids.get(0) : matching.next());
              });
      changed = step.changed();
      found += step.found();
      next = step.next();
    } while (next != null && System.nanoTime() - end < 0);
    boolean overlooks = transactions.requiresNew(() -> searches.overlooksEncrypted(search));
    return new Result(Changes.total(changed), found, next, overlooks);
  }

  /**
   * Splits jobs into pieces, each of which is changed in one transaction. A move re-encrypts jobs
   * on this node, so the size of their contents is limited, too.
   */
  private List<List<Long>> pieces(Change change, List<Long> ids) {
    Map<Long, Long> bytes =
        change.action() == Action.MOVE ? jobs.encryptedBytes(ids) : Map.<Long, Long>of();
    return RowSize.pieces(
        ids.stream().map(id -> new RowSize(id, bytes.getOrDefault(id, 0L))).toList(), AT_ONCE);
  }

  /** Returns the request with its job type in the stored form. */
  private Change withStoredType(Change change) {
    return change.action() == Action.MOVE
        ? new Change(change.action(), null, intake.stored(type(change)))
        : change;
  }

  private record Step(Map<String, Integer> changed, int found, @Nullable Long next) {}

  private static Role role(Change change) {
    return change.action() == Action.ERASE ? Role.ADMIN : Role.OPERATOR;
  }

  /** Returns the queues that the change concerns, or null if they are not known beforehand. */
  private @Nullable Set<String> concerned(Change change, List<String> queues) {
    QueueScope changed = access.scope(role(change));
    if (!queues.isEmpty()) {
      return Set.copyOf(queues);
    }
    return changed.others() ? null : changed.named();
  }

  private static String verb(Change change) {
    return change.action().name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, Object> detail(Change change) {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("changed", 0);
    detail.put(field(change), audited(change, Map.of()));
    return detail;
  }

  private static String field(Change change) {
    return switch (change.action()) {
      case RESET, RUN, CANCEL, DELETE -> "state";
      case PRIORITIZE -> "priority";
      case MOVE -> "type";
      case ERASE -> "erased";
    };
  }

  /**
   * Returns the counts by old value, with the new value. For ERASE, only the counts are returned.
   */
  private static Map<String, ?> audited(Change change, Map<String, Integer> before) {
    return switch (change.action()) {
      case RESET, RUN -> Changes.fromTo(before, JobState.AVAILABLE.name());
      case CANCEL -> Changes.fromTo(before, JobState.CANCELLED.name());
      case DELETE -> Changes.fromTo(before, null);
      case PRIORITIZE -> Changes.fromTo(before, priority(change));
      case MOVE -> Changes.fromTo(before, type(change));
      case ERASE -> before;
    };
  }

  /**
   * Describes a search for the audit without values in payloads and properties, because some users
   * that can read the audit are not allowed to see these.
   */
  private static Map<String, Object> recorded(JobSearch search) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("id", search.id());
    all.put("state", search.state());
    all.put("queue", listed(search.queues()));
    all.put("type", listed(search.types()));
    all.put("version", listed(search.versions()));
    all.put("priority", listed(search.priorities()));
    all.put("group", search.group());
    all.put("batch", search.batch());
    all.put("wave", search.wave());
    all.put("key", search.key());
    all.put("correlation", search.correlation());
    all.put("node", listed(search.nodes()));
    all.put("error", search.error());
    all.put("olderThan", search.olderThan());
    all.put("youngerThan", search.youngerThan());
    Map<String, Object> recorded = new LinkedHashMap<>();
    all.forEach(
        (name, value) -> {
          if (value != null) {
            recorded.put(name, value.toString());
          }
        });
    search
        .payload()
        .keySet()
        .forEach(path -> recorded.put("payload." + String.join(".", path), "…"));
    search.properties().keySet().forEach(name -> recorded.put("property." + name, "…"));
    return recorded;
  }

  /** Returns the values as a user types them, or null if there are none. */
  private static @Nullable String listed(List<?> values) {
    return values.isEmpty()
        ? null
        : values.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /**
   * Applies the action to the given jobs, and returns the number of changed jobs by their old
   * values.
   */
  private Map<String, Integer> apply(
      Change change,
      List<Long> ids,
      Map<String, Integer> before,
      Audit.Ongoing entry,
      Map<String, Object> detail) {
    if (ids.isEmpty()) {
      return before;
    }
    Map<String, Integer> changed = Changes.sum(before, apply(change, ids));
    // A call that changes nothing is not recorded.
    if (Changes.total(changed) > 0) {
      detail.put("changed", Changes.total(changed));
      detail.put(field(change), audited(change, changed));
      entry.soFar(detail);
    }
    return changed;
  }

  private Map<String, Integer> apply(Change change, List<Long> ids) {
    return switch (change.action()) {
      case RESET -> control.resetAll(ids);
      case RUN -> control.runAllNow(ids);
      case CANCEL -> cancel(ids);
      case DELETE -> control.deleteAll(ids);
      case PRIORITIZE -> control.changePriorities(ids, priority(change));
      case MOVE -> control.changeTypes(ids, type(change));
      case ERASE -> control.eraseAll(ids);
    };
  }

  private Map<String, Integer> cancel(List<Long> ids) {
    transactions.afterCommit(signals::orderChanged);
    return jobs.cancelAll(control.permitted(ids, Role.OPERATOR));
  }

  private static String type(Change change) {
    return Objects.requireNonNull(change.type(), "a bulk move has no type");
  }

  private static int priority(Change change) {
    Integer priority = change.priority();
    return priority == null ? JobRequest.DEFAULT_PRIORITY : priority;
  }
}
