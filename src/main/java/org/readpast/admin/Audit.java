package org.readpast.admin;

import jakarta.json.Json;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.AuditLog;
import org.readpast.admin.store.AuditLog.Concerned;
import org.readpast.database.Transactions;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueScope;

/**
 * Records each change with its user and time. An entry is written in the transaction of the change
 * that it records, so both are committed or neither.
 */
public final class Audit implements Scoped<Audit> {
  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_TARGET = 512;
  private static final ThreadLocal<@Nullable String> ACTOR = new ThreadLocal<>();

  private final Transactions transactions;
  private final Supplier<String> caller;
  private final AuditLog log;
  private final QueueScope seen;

  /**
   * @param caller returns the name of the user or application that acts on this thread
   */
  public Audit(Transactions transactions, Supplier<String> caller) {
    this(transactions, caller, QueueScope.ALL);
  }

  private Audit(Transactions transactions, Supplier<String> caller, QueueScope seen) {
    this.seen = seen;
    this.transactions = transactions;
    this.caller = caller;
    this.log = new AuditLog(transactions);
  }

  @Override
  public Audit within(QueueAccess access) {
    return new Audit(transactions, caller, access.seen());
  }

  /**
   * Records a change, in the current transaction. If the target is a job id, the entry is visible
   * to callers that see the job's queue; otherwise, only to callers that see every queue.
   *
   * @param action the name of the action, such as {@code job.cancel}
   * @param target the id of a job, or the name of what was changed; null if many things were
   *     changed
   * @param detail further details as strings, numbers, flags, null, lists and maps; no payloads;
   *     values before and after the change as {@link Changes#fromTo}
   * @return the id of the entry
   */
  public long did(String action, @Nullable Object target, Map<String, ?> detail) {
    return did(action, target, null, detail);
  }

  /**
   * Records a change, in the current transaction.
   *
   * @param queues the queues that the change concerns; only callers that see all of them see the
   *     entry. If empty, the change concerns no queue, and every caller with a general role sees
   *     the entry. If null, the entry is visible as in {@link #did(String, Object, Map)}.
   */
  public long did(
      String action,
      @Nullable Object target,
      @Nullable Collection<String> queues,
      Map<String, ?> detail) {
    String name = target == null ? null : cut(target.toString(), LONGEST_TARGET);
    Long job = target instanceof Long id ? id : null;
    return log.add(
        cut(who(), LONGEST_NAME), action, name, json(detail), new Concerned(queues, job));
  }

  /**
   * Runs an action, and records its changes under this name instead of the name of the caller on
   * this thread. This method is meant for users that have signed in elsewhere, such as to JMX.
   */
  public <T> T as(String name, Supplier<T> action) {
    String before = ACTOR.get();
    ACTOR.set(name);
    try {
      return action.get();
    } finally {
      if (before == null) {
        ACTOR.remove();
      } else {
        ACTOR.set(before);
      }
    }
  }

  private String who() {
    String name = ACTOR.get();
    return name == null ? caller.get() : name;
  }

  /**
   * Begins a change that takes several transactions but has only one entry.
   *
   * @param queues the queues that the change concerns, or null if they are not known; then only
   *     callers that see every queue see the entry
   */
  public Ongoing begin(
      String action, @Nullable Object target, @Nullable Collection<String> queues) {
    return new Ongoing(action, target, queues);
  }

  /**
   * Records a change that takes several transactions. The first step writes its entry and later
   * steps amend it, so the entry of an interrupted change shows how far the change got.
   */
  public final class Ongoing {
    private final String action;
    private final @Nullable Object target;
    private final @Nullable Collection<String> queues;
    private @Nullable Long entry;

    private Ongoing(String action, @Nullable Object target, @Nullable Collection<String> queues) {
      this.action = action;
      this.target = target;
      this.queues = queues;
    }

    /**
     * Records the progress of the change up to this step. Call this method once in each transaction
     * of the change.
     */
    public void soFar(Map<String, ?> detail) {
      Long written = entry;
      if (written == null) {
        long id = did(action, target, queues, detail);
        // If this transaction is rolled back, its step is repeated and writes the audit entry
        // again.
        transactions.afterCommit(() -> entry = id);
      } else {
        log.amend(written, json(detail));
      }
    }
  }

  /**
   * Returns the recorded changes, newest first. An entry is included only if the caller sees every
   * queue that it concerns.
   *
   * @param before returns entries older than this one; null to start at the newest
   */
  public List<AuditLog.Entry> page(AuditLog.Filter filter, @Nullable Long before, int most) {
    return transactions.required(() -> log.page(filter, before, most, seen));
  }

  private static String json(Map<String, ?> detail) {
    return Json.createObjectBuilder(detail).build().toString();
  }

  private static String cut(String text, int longest) {
    String storable = text.replace('\0', '\uFFFD');
    return storable.length() <= longest ? storable : storable.substring(0, longest - 1) + "…";
  }
}
