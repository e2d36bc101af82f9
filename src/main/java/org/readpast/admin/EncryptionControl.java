package org.readpast.admin;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.JobDetails;
import org.readpast.admin.store.JobReads;
import org.readpast.admin.store.UsedKeys;
import org.readpast.api.Enqueued;
import org.readpast.api.JobRequest;
import org.readpast.api.RotateKeys;
import org.readpast.api.StateConflictException;
import org.readpast.database.Transactions;
import org.readpast.engine.Enqueuer;
import org.readpast.model.Encryption;
import org.readpast.model.NewJob;
import org.readpast.model.QueueScope;

/** Shows the keys that encrypt jobs, and replaces them. */
public final class EncryptionControl {
  private final Transactions transactions;
  private final Enqueuer enqueuer;
  private final JobReads jobs;
  private final Audit audit;
  private final UsedKeys used;

  public EncryptionControl(Transactions transactions, Enqueuer enqueuer, Audit audit) {
    this.transactions = transactions;
    this.enqueuer = enqueuer;
    this.jobs = new JobReads(transactions, QueueScope.ALL);
    this.audit = audit;
    this.used = new UsedKeys(transactions);
  }

  /**
   * Describes the encryption of jobs.
   *
   * @param currentKey the key that encrypts what this application stores, or null if it encrypts
   *     nothing
   * @param keys the keys that have encrypted something in this database, the oldest first
   */
  public record State(@Nullable String currentKey, List<Key> keys) {}

  /**
   * Describes an encryption key.
   *
   * @param available true if this application has the key
   * @param retiredAt when a rotation found nothing that the key encrypts, or null if it may still
   *     encrypt something
   */
  public record Key(
      String id, Instant firstUsedAt, boolean available, @Nullable Instant retiredAt) {}

  /** Returns the current state of encryption. */
  public State state() {
    Encryption encryption = transactions.encryption();
    List<Key> keys =
        transactions.required(used::all).stream()
            .map(
                key ->
                    new Key(
                        key.id(), key.firstUsedAt(), encryption.hasKey(key.id()), key.retiredAt()))
            .toList();
    return new State(encryption.currentKey(), keys);
  }

  /**
   * Enqueues the job that replaces the encryption of everything that is encrypted with other keys
   * of this application; it uses the current key. If a rotation job is live, that job is returned.
   *
   * @throws StateConflictException if this application has no current key
   */
  public JobIntake.Taken rotate() {
    String current = transactions.encryption().currentKey();
    if (current == null) {
      throw new StateConflictException(
          "this application has no key to encrypt with; name one in"
              + " readpast.encryption.current-key");
    }
    NewJob job =
        new NewJob(
            RuleControl.QUEUE,
            RotateKeys.TYPE,
            JobRequest.DEFAULT_PRIORITY,
            null,
            null,
            null,
            null,
            RotateKeys.TYPE + ":" + current,
            null,
            null,
            null,
            "{\"key\":\"" + current + "\"}");
    return transactions.required(
        () -> {
          Enqueued enqueued = enqueuer.enqueue(List.of(job)).get(0);
          audit.did("encryption.rotate", current, List.of(), Map.of("job", enqueued.id()));
          JobDetails details = Objects.requireNonNull(jobs.details(enqueued.id()));
          return new JobIntake.Taken(details, enqueued.isNew());
        });
  }
}
