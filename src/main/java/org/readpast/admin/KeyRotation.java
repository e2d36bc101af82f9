package org.readpast.admin;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.EncryptedOthers;
import org.readpast.admin.store.EncryptedRows;
import org.readpast.admin.store.EncryptedRows.Done;
import org.readpast.admin.store.EncryptedRows.Range;
import org.readpast.admin.store.EncryptedRows.Wanted;
import org.readpast.admin.store.RowSize;
import org.readpast.admin.store.UsedKeys;
import org.readpast.api.Backoff;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.OnLostLease;
import org.readpast.api.ReadpastException;
import org.readpast.api.ReceiveMode;
import org.readpast.api.RotateKeys;
import org.readpast.database.Transactions;
import org.readpast.database.TransientErrors;
import org.readpast.engine.HandlerDefinition;
import org.readpast.engine.Signals;
import org.readpast.engine.UnreadablePayloadException;
import org.readpast.model.EncryptedException;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.RetryPolicy;
import org.readpast.store.Claims;

/**
 * Replaces encryption keys. A job with visible progress replaces, in short transactions, everything
 * that is encrypted with other keys of this application.
 */
public final class KeyRotation {
  private static final Logger LOG = System.getLogger(KeyRotation.class.getName());
  private static final Pattern TARGET = Pattern.compile("\"key\"\\s*:\\s*\"([A-Za-z0-9._-]+)\"");
  private static final int ROWS_LOOKED_AT = 2_000;
  private static final int ROWS_AT_ONCE = 200;
  // Jobs move between tables during a pass, so a job can be missed even though the pass finds no
  // row to change. Nodes whose current key is still the old key continue to encrypt with it.
  private static final int CLEAN_PASSES = 2;
  private static final int MOST_PASSES = 8;
  private static final int MOST_TOLD = 20;
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

  private final Transactions transactions;
  private final Signals signals;
  private final UsedKeys used;
  private @Nullable String checked;

  /**
   * Creates an instance; {@code signals} receives wake-ups for schedules, and for jobs that claims
   * may have skipped.
   */
  public KeyRotation(Transactions transactions, Signals signals) {
    this.transactions = transactions;
    this.signals = signals;
    this.used = new UsedKeys(transactions);
  }

  /**
   * Checks that each key of this application equals the key that the database knows under the same
   * id, and records that the current key is in use.
   *
   * @throws ReadpastException if a key differs from the known key of the same id, because other
   *     nodes could not decrypt what it encrypts
   */
  public synchronized void check() {
    String current = transactions.encryption().currentKey();
    transactions.requiresNew(
        () -> {
          if (current != null) {
            used.add(current, sample(current));
          }
          used.all().forEach(this::check);
          return true;
        });
    checked = current;
  }

  private String sample(String key) {
    return transactions.encryption().sealText(EncryptionContext.sample(key), key, key);
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
              + "' differs from the key with this id that has encrypted jobs in this"
              + " database since "
              + key.firstUsedAt()
              + "; give this application that key, or give its key another id",
          e);
    }
  }

  /**
   * Records again that the current key is in use, because another node may have retired it. A key
   * that was added while the application runs and differs from the known key of the same id
   * encrypts nothing. Never throws an exception.
   */
  public synchronized void checkKeys() {
    String current = null;
    try {
      current = transactions.encryption().currentKey();
      String key = current;
      if (Objects.equals(key, checked)) {
        if (key != null) {
          transactions.requiresNew(
              () -> {
                used.revive(key);
                return true;
              });
        }
      } else {
        check();
      }
    } catch (RuntimeException e) {
      if (current != null && e.getCause() instanceof EncryptedException) {
        transactions.encryption().refuse(current);
      }
      // The engine logs each outage once.
      LOG.log(
          TransientErrors.isOutage(e) ? Level.DEBUG : Level.ERROR,
          "READPAST-0066 the key that encrypts jobs could not be checked, or differs from"
              + " the key with this id in the database; in that case this application"
              + " encrypts and enqueues nothing until it has the right key. The check is"
              + " repeated within seconds",
          e);
    }
  }

  /** Returns how the rotation job is processed. */
  public HandlerDefinition handler() {
    return new HandlerDefinition(
        RotateKeys.TYPE,
        null,
        ReceiveMode.LEASED,
        Duration.ofDays(1),
        1,
        new RetryPolicy(
            8, Backoff.EXPONENTIAL, Duration.ofSeconds(5), Duration.ofMinutes(5), 0.2, List.of()),
        Set.of(),
        OnLostLease.INTERRUPT,
        this::rotate,
        null);
  }

  private JobResult rotate(String payload, JobContext context) throws InterruptedException {
    String key = target(payload);
    if (!key.equals(transactions.encryption().currentKey())) {
      throw new UnreadablePayloadException(
          "key '" + key + "' is not the current key of this application", null);
    }
    List<String> known =
        transactions.requiresNew(used::all).stream()
            .map(UsedKeys.Used::id)
            .filter(id -> !id.equals(key))
            .toList();
    List<String> old = known.stream().filter(transactions.encryption()::hasKey).toList();
    List<String> others = known.stream().filter(id -> !old.contains(id)).toList();
    Work work = new Work(new Wanted(key, others), context);
    String left = work.all();
    if (left == null) {
      transactions.requiresNew(
          () -> {
            used.retire(old);
            return true;
          });
    }
    work.refused.forEach(context::log);
    context.log(left == null ? "no row is encrypted with " + old + " any longer" : left);
    LOG.log(
        Level.INFO,
        "READPAST-0065 an attempt of the key rotation has ended: {0} rows were encrypted with"
            + " key ''{1}'' instead of {2}; complete: {3}",
        Integer.toString(work.changed),
        key,
        old,
        left == null);
    return JobResult.done(
        Map.of("key", key, "replaced", old, "encrypted", work.changed, "complete", left == null));
  }

  private static String target(String payload) {
    Matcher key = TARGET.matcher(payload);
    if (!key.find()) {
      throw new UnreadablePayloadException(
          "the payload names no key; specify {\"key\": \"<id>\"}", null);
    }
    return key.group(1);
  }

  /** Executes one attempt of a rotation job. */
  private final class Work {
    private final List<EncryptedRows> tables;
    private final EncryptedOthers others;
    private final JobContext context;
    private final Set<String> refused = new LinkedHashSet<>();
    private int changed;
    // Progress is measured in ids, because counting rows takes longer.
    private long passed;
    private long ids;

    private Work(Wanted wanted, JobContext context) {
      this.tables = EncryptedRows.ofEachTable(transactions, wanted);
      this.others = new EncryptedOthers(transactions, wanted);
      this.context = context;
    }

    /**
     * Encrypts everything with the current key; returns the reason why something may be left, or
     * null if nothing is left.
     */
    private @Nullable String all() throws InterruptedException {
      int clean = 0;
      for (int passes = 0; clean < CLEAN_PASSES && passes < MOST_PASSES; passes++) {
        clean = pass() == 0 ? clean + 1 : 0;
        if (clean == 1 && !openTransactionsEnd()) {
          return "a transaction that was open before the rotation may still store rows with an"
              + " old key; run the rotation again once this transaction has ended";
        }
      }
      if (clean < CLEAN_PASSES) {
        return "rows are still being encrypted with another key, or are locked; make sure that"
            + " every node has the same current key, and run the rotation again";
      }
      if (!refused.isEmpty()) {
        return "some rows could not be decrypted";
      }
      return transactions.requiresNew(others::foundByRules)
          ? "a run of a rule that is still active has stored objects with another key;"
              + " run the rotation again when it has ended"
          : null;
    }

    /**
     * Waits until all transactions that are open now have ended, because other transactions do not
     * see their rows until then. Returns false if the wait takes too long.
     */
    private boolean openTransactionsEnd() throws InterruptedException {
      long next = transactions.requiresNew(used::openTransactions).next();
      long until = System.nanoTime() + LONGEST_WAIT.toNanos();
      while (transactions.requiresNew(used::openTransactions).oldest() < next) {
        requireGoingOn();
        if (System.nanoTime() - until > 0) {
          return false;
        }
        TimeUnit.MILLISECONDS.sleep(200);
      }
      return true;
    }

    /** Scans all tables once; returns the number of rows that were changed or locked. */
    private int pass() {
      int before = changed;
      Done schedules = transactions.requiresNew(others::encryptSchedules);
      count(schedules);
      if (schedules.changed() > 0) {
        signals.schedulesChanged();
      }
      EncryptedOthers.Place place = EncryptedOthers.Place.FIRST;
      while (place != null) {
        requireGoingOn();
        EncryptedOthers.Place after = place;
        List<String> unread = new ArrayList<>();
        place =
            transactions
                .requiresNew(
                    () -> {
                      unread.clear();
                      return Optional.ofNullable(
                          others.encryptAnswers(after, ROWS_AT_ONCE, unread));
                    })
                .orElse(null);
        count(new Done(0, unread));
      }
      passed = 0;
      ids =
          tables.stream()
              .map(this::range)
              .mapToLong(range -> range.map(Range::ids).orElse(0L))
              .sum();
      int left = 0;
      for (EncryptedRows table : tables) {
        // Jobs may have been added to this table since the ranges were first read.
        Range range = range(table).orElse(null);
        if (range != null) {
          left += pass(table, range);
          passed += range.ids();
        }
      }
      // Jobs may also have ended since the ranges were first read.
      ids = passed;
      progress(0);
      return left + changed - before;
    }

    private Optional<Range> range(EncryptedRows table) {
      return transactions.requiresNew(() -> Optional.ofNullable(table.range()));
    }

    private int pass(EncryptedRows table, Range range) {
      int left = 0;
      long above = range.lowest() - 1;
      while (above < range.highest()) {
        long from = above;
        progress(from - range.lowest() + 1);
        Long end =
            transactions
                .requiresNew(() -> Optional.ofNullable(table.pageEnd(from, ROWS_LOOKED_AT)))
                .orElse(null);
        if (end == null) {
          break;
        }
        above = Math.min(end, range.highest());
        long upTo = above;
        List<RowSize> found = transactions.requiresNew(() -> table.find(from, upTo));
        for (List<Long> piece : RowSize.pieces(found, ROWS_AT_ONCE)) {
          requireGoingOn();
          Done done = encrypt(table, piece);
          count(done);
          left += piece.size() - done.changed() - done.refused().size();
        }
      }
      progress(range.ids());
      return left;
    }

    /**
     * Encrypts a number of rows with the current key. Claims skip the jobs that are locked in the
     * meantime, and might not return to their positions.
     */
    private Done encrypt(EncryptedRows table, List<Long> piece) {
      List<Claims.ReopenedLane> locked = new ArrayList<>();
      try {
        return transactions.requiresNew(
            () -> {
              locked.clear();
              return table.encrypt(piece, locked);
            });
      } finally {
        if (!locked.isEmpty()) {
          signals.restored(locked);
        }
      }
    }

    private void progress(long inTable) {
      long done = passed + inTable;
      context.progress(done, Math.max(done, ids));
    }

    private void count(Done done) {
      changed += done.changed();
      done.refused().stream().limit(MOST_TOLD - refused.size()).forEach(refused::add);
    }

    private void requireGoingOn() {
      if (context.cancellationRequested()) {
        throw new CancellationException(
            "cancelled; rows that were encrypted with the current key stay encrypted with it");
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new ReadpastException(
            "interrupted; the next attempt continues with the remaining rows");
      }
    }
  }
}
