package org.readpast.admin;

import jakarta.json.Json;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.AuditLog;
import org.readpast.store.Transactions;

/**
 * Keeps who did what, when, and to what. An entry is written in the transaction of the deed, so
 * that there is never one without the other.
 */
public final class Audit {
  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_TARGET = 512;
  private static final ThreadLocal<@Nullable String> ACTOR = new ThreadLocal<>();

  private final Transactions transactions;
  private final Supplier<String> caller;
  private final AuditLog log;

  /**
   * @param caller the name of who acts on this thread: a person's, or that of the application
   */
  public Audit(Transactions transactions, Supplier<String> caller) {
    this.transactions = transactions;
    this.caller = caller;
    this.log = new AuditLog(transactions);
  }

  /**
   * Keeps a deed, in the current transaction.
   *
   * @param action {@code <what>.<verb>}, such as {@code job.cancel}
   * @param target number of a job, or name of what it was done to; null: it was done to many
   * @param detail what else is to be known of it: texts, numbers, flags, null, lists and maps; no
   *     payloads; what was before and is after it as {@link Changes#fromTo}
   * @return the number of the entry
   */
  public long did(String action, @Nullable Object target, Map<String, ?> detail) {
    String name = target == null ? null : cut(target.toString(), LONGEST_TARGET);
    return log.add(cut(who(), LONGEST_NAME), action, name, json(detail));
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

  /** A deed that takes several transactions, and is one entry all the same. */
  public Ongoing begin(String action, @Nullable Object target) {
    return new Ongoing(action, target);
  }

  /**
   * Such a deed. Its entry is written with its first step and amended by the others, so that one
   * that is cut off has told how far it came.
   */
  public final class Ongoing {
    private final String action;
    private final @Nullable Object target;
    private @Nullable Long entry;

    private Ongoing(String action, @Nullable Object target) {
      this.action = action;
      this.target = target;
    }

    /** Says what it has come to with this step: once in each of its transactions. */
    public void soFar(Map<String, ?> detail) {
      Long written = entry;
      if (written == null) {
        long id = did(action, target, detail);
        // A step that is rolled back is tried again, and its entry with it.
        transactions.afterCommit(() -> entry = id);
      } else {
        log.amend(written, json(detail));
      }
    }
  }

  /**
   * What has been done, newest first.
   *
   * @param before entries older than this one; null: from the newest
   */
  public List<AuditLog.Entry> page(AuditLog.Filter filter, @Nullable Long before, int most) {
    return transactions.required(() -> log.page(filter, before, most));
  }

  private static String json(Map<String, ?> detail) {
    return Json.createObjectBuilder(detail).build().toString();
  }

  private static String cut(String text, int longest) {
    String storable = text.replace('\0', '\uFFFD');
    return storable.length() <= longest ? storable : storable.substring(0, longest - 1) + "…";
  }
}
