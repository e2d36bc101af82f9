package org.readpast.admin;

import jakarta.json.Json;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.AuditLog;
import org.readpast.admin.store.AuditLog.Concerned;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueScope;
import org.readpast.store.Transactions;

/**
 * Keeps who did what, when, and to what. An entry is written in the transaction of the deed, so
 * that there is never one without the other.
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
   * @param caller the name of who acts on this thread: a person's, or that of the application
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
   * Keeps a deed, in the current transaction. If its target is the number of a job, callers that
   * see the job's queue see the entry; otherwise only callers that see every queue.
   *
   * @param action {@code <what>.<verb>}, such as {@code job.cancel}
   * @param target number of a job, or name of what it was done to; null: it was done to many
   * @param detail what else is to be known of it: texts, numbers, flags, null, lists and maps; no
   *     payloads; what was before and is after it as {@link Changes#fromTo}
   * @return the number of the entry
   */
  public long did(String action, @Nullable Object target, Map<String, ?> detail) {
    return did(action, target, null, detail);
  }

  /**
   * Keeps a deed, in the current transaction.
   *
   * @param queues those that it concerns: only callers that see all of them see the entry; empty:
   *     none, so that every caller with a general role sees it; null: as above
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
   * Does something under this name rather than under that of who acts on this thread: for those who
   * have signed in somewhere else.
   */
  public <T> T as(String name, Supplier<T> deed) {
    String before = ACTOR.get();
    ACTOR.set(name);
    try {
      return deed.get();
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
   * A deed that takes several transactions, and is one entry all the same.
   *
   * @param queues those that it concerns; null: not known, so that only those see the entry that
   *     see every queue
   */
  public Ongoing begin(
      String action, @Nullable Object target, @Nullable Collection<String> queues) {
    return new Ongoing(action, target, queues);
  }

  /**
   * Such a deed. Its entry is written with its first step and amended by the others, so that one
   * that is cut off has told how far it came.
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

    /** Says what it has come to with this step: once in each of its transactions. */
    public void soFar(Map<String, ?> detail) {
      Long written = entry;
      if (written == null) {
        long id = did(action, target, queues, detail);
        // A step that is rolled back is tried again, and its entry with it.
        transactions.afterCommit(() -> entry = id);
      } else {
        log.amend(written, json(detail));
      }
    }
  }

  /**
   * What has been done, newest first, as far as the caller sees every queue that it concerns.
   *
   * @param before entries older than this one; null: from the newest
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
