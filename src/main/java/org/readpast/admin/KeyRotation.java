package org.readpast.admin;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.EncryptedOthers;
import org.readpast.admin.store.EncryptedRows;
import org.readpast.admin.store.EncryptedRows.Done;
import org.readpast.admin.store.EncryptedRows.Found;
import org.readpast.admin.store.EncryptedRows.Range;
import org.readpast.admin.store.UsedKeys;
import org.readpast.api.Backoff;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.OnLostLease;
import org.readpast.api.ReadpastException;
import org.readpast.api.ReceiveMode;
import org.readpast.api.RotateKeys;
import org.readpast.engine.Handling;
import org.readpast.engine.UnreadablePayloadException;
import org.readpast.model.EncryptedException;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.RetryPolicy;
import org.readpast.store.Transactions;

/**
 * Replaces keys: what is encrypted with another key that this application has is encrypted with the
 * current one, in short transactions, by a job that shows how far it is.
 */
public final class KeyRotation {
  private static final Logger LOG = System.getLogger(KeyRotation.class.getName());
  private static final int ROWS_LOOKED_AT = 2_000;
  private static final int ROWS_AT_ONCE = 200;
  private static final long BYTES_AT_ONCE = 4L << 20;
  // Jobs move between tables while they are looked at, and nodes that still have the old key as
  // their current one use it.
  private static final int MOST_PASSES = 5;
  private static final int MOST_TOLD = 20;

  private final Transactions transactions;
  private final UsedKeys used;
  private boolean begun;
  private @Nullable String checked;

  public KeyRotation(Transactions transactions) {
    this.transactions = transactions;
    this.used = new UsedKeys(transactions);
  }

  /**
   * Checks that the keys of this application are the ones of the same ids that have encrypted
   * something in this database, and records the current one.
   *
   * @throws ReadpastException if one is another key: what it encrypted nobody else could decrypt
   */
  public synchronized void check() {
    String current = transactions.encryption().currentKey();
    if (begun && Objects.equals(current, checked)) {
      return;
    }
    transactions.requiresNew(
        () -> {
          if (current != null) {
            used.add(current, sample(current));
          }
          used.all().forEach(this::check);
          return true;
        });
    begun = true;
    checked = current;
  }

  private String sample(String key) {
    return String.valueOf(transactions.encryption().sealText(EncryptionContext.sample(key), key));
  }

  private void check(UsedKeys.Used key) {
    Encryption encryption = transactions.encryption();
    if (!encryption.hasKey(key.id())) {
      return;
    }
    try {
      encryption.openText(EncryptionContext.sample(key.id()), key.sample());
    } catch (EncryptedException e) {
      throw new ReadpastException(
          "key '"
              + key.id()
              + "' is another one than the key of this id that encrypts jobs in this database since "
              + key.firstUsedAt()
              + "; give this application that key, or this one another id",
          e);
    }
  }

  /** How the job is worked. */
  public Handling handling() {
    return new Handling(
        RotateKeys.TYPE,
        ReceiveMode.LEASED,
        Duration.ofDays(1),
        1,
        new RetryPolicy(
            8, Backoff.EXPONENTIAL, Duration.ofSeconds(5), Duration.ofMinutes(5), 0.2, List.of()),
        Set.of(),
        OnLostLease.INTERRUPT,
        (payload, context) -> rotate(context),
        null);
  }

  private JobResult rotate(JobContext context) {
    String current = transactions.encryption().currentKey();
    if (current == null) {
      throw new UnreadablePayloadException("this application encrypts nothing any more", null);
    }
    List<String> old =
        transactions.requiresNew(used::all).stream()
            .map(UsedKeys.Used::id)
            .filter(key -> !key.equals(current) && transactions.encryption().hasKey(key))
            .toList();
    Work work = new Work(old, context);
    int changed;
    int passes = 0;
    do {
      changed = work.pass();
      passes++;
    } while (changed > 0 && passes < MOST_PASSES);
    boolean through = changed == 0 && work.refused.isEmpty() && work.nothingFoundByRules();
    if (through && !old.isEmpty()) {
      transactions.requiresNew(
          () -> {
            used.forget(old);
            return true;
          });
    }
    work.refused.stream().limit(MOST_TOLD).forEach(context::log);
    context.log(
        through
            ? "nothing is encrypted with " + old + " any more"
            : "something is still encrypted with " + old + "; run this again");
    LOG.log(
        Level.INFO,
        "READPAST-0065 {0} rows were encrypted with key ''{1}'' in place of {2}",
        Integer.toString(work.changed),
        current,
        old);
    return JobResult.done(
        Map.of(
            "key", current,
            "replaced", old,
            "encrypted", work.changed,
            "refused", work.refused.size(),
            "complete", through));
  }

  /** What one attempt does. */
  private final class Work {
    private final List<EncryptedRows> tables;
    private final EncryptedOthers others;
    private final JobContext context;
    private final Set<String> refused = new LinkedHashSet<>();
    private int changed;
    // In ids: to count rows takes longer.
    private long passed;
    private long all;

    private Work(List<String> old, JobContext context) {
      this.tables = EncryptedRows.ofEachTable(transactions, old);
      this.others = new EncryptedOthers(transactions, old);
      this.context = context;
    }

    /** Looks at everything once; returns how many rows are to be looked at again. */
    private int pass() {
      int before = changed;
      count(transactions.requiresNew(others::encryptSchedules));
      int answers;
      do {
        requireGoingOn();
        answers = transactions.requiresNew(() -> others.encryptAnswers(ROWS_AT_ONCE));
      } while (answers > 0);
      Map<EncryptedRows, Range> ranges = new LinkedHashMap<>();
      for (EncryptedRows table : tables) {
        transactions
            .requiresNew(() -> Optional.ofNullable(table.range()))
            .ifPresent(range -> ranges.put(table, range));
      }
      passed = 0;
      all = ranges.values().stream().mapToLong(Range::ids).sum();
      int left = 0;
      for (Map.Entry<EncryptedRows, Range> one : ranges.entrySet()) {
        left += pass(one.getKey(), one.getValue());
        passed += one.getValue().ids();
      }
      return left + changed - before;
    }

    private int pass(EncryptedRows table, Range range) {
      int left = 0;
      Long above = range.lowest() - 1;
      do {
        long from = above;
        context.progress(passed + from - range.lowest() + 1, all);
        above = page(table, from, range.highest());
        if (above == null) {
          return left;
        }
        long upTo = above;
        List<Found> found = transactions.requiresNew(() -> table.find(from, upTo));
        for (List<Long> piece : pieces(found)) {
          requireGoingOn();
          Done done = transactions.requiresNew(() -> table.encrypt(piece));
          count(done);
          left += piece.size() - done.changed() - done.refused().size();
        }
      } while (above < range.highest());
      context.progress(passed + range.ids(), all);
      return left;
    }

    /** Rows that came after the pass has begun are for the next one. */
    private @Nullable Long page(EncryptedRows table, long from, long highest) {
      Long end =
          transactions
              .requiresNew(() -> Optional.ofNullable(table.pageEnd(from, ROWS_LOOKED_AT)))
              .orElse(null);
      return end == null ? null : Long.valueOf(Math.min(end, highest));
    }

    private void count(Done done) {
      changed += done.changed();
      refused.addAll(done.refused());
    }

    private void requireGoingOn() {
      if (context.cancellationRequested()) {
        throw new CancellationException("cancelled; what was encrypted anew stays so");
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new ReadpastException("interrupted; the next attempt goes on with what is left");
      }
    }

    private boolean nothingFoundByRules() {
      return !transactions.requiresNew(others::foundByRules);
    }
  }

  private static List<List<Long>> pieces(List<Found> found) {
    List<List<Long>> pieces = new ArrayList<>();
    List<Long> piece = new ArrayList<>();
    long bytes = 0;
    for (Found row : found) {
      if (!piece.isEmpty()
          && (piece.size() == ROWS_AT_ONCE || bytes + row.bytes() > BYTES_AT_ONCE)) {
        pieces.add(piece);
        piece = new ArrayList<>();
        bytes = 0;
      }
      piece.add(row.id());
      bytes += row.bytes();
    }
    if (!piece.isEmpty()) {
      pieces.add(piece);
    }
    return pieces;
  }
}
