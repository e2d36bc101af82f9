package org.readpast.upgrade;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.upgrade.CommonJobs.Again;
import org.readpast.upgrade.CommonJobs.Call;
import org.readpast.upgrade.CommonJobs.Limited;
import org.readpast.upgrade.CommonJobs.Note;

/**
 * Enqueues jobs of all kinds, one round per transaction of a caller, and promises them in the
 * ledger.
 *
 * @param background calls a {@code @Background} method, or null if there is no such method
 */
public record Rounds(
    JobQueue jobs, LedgerWriter ledger, ChangedJobs changed, @Nullable LongConsumer background) {
  private static final int LIMITED = 3;

  /** Enqueues one round of jobs. */
  public void enqueue() {
    jobs.enqueue(new Note(promise("note")));
    jobs.enqueue(JobRequest.of(new Call(promise("call"))).priority(7));
    long later = promise("note");
    jobs.enqueue(
        JobRequest.of(new Note(later)).delay(Duration.ofSeconds(1)).uniqueKey("later-" + later));
    jobs.enqueue(new Again(ledger.promise("again", 2, "")));
    jobs.enqueueAll(
        LongStream.range(0, LIMITED)
            .mapToObj(i -> JobRequest.of(new Limited(promise("limited"))))
            .toList());
    jobs.enqueue(changed.mail(promise("mail")));
    // This job still waits when a node has stopped, regardless of how long the stop takes.
    jobs.enqueue(changed.mail(promise("mail")).delay(Duration.ofSeconds(5)));
    jobs.enqueue(changed.parcel(promise("parcel")));
    jobs.enqueue(changed.invoice(promise("invoice")));
    if (background != null) {
      background.accept(promise("background"));
    }
    groups();
    chain();
    batch();
  }

  private long promise(String kind, Long... follows) {
    return ledger.promise(kind, 1, "", follows);
  }

  /** Enqueues one group of jobs that every version can run, and one mixed group. */
  private void groups() {
    for (int i = 0; i < 2; i++) {
      jobs.enqueue(JobRequest.of(new Note(grouped("note", "notes"))).group("notes"));
    }
    jobs.enqueue(changed.mail(grouped("mail", "mixed")).group("mixed"));
    jobs.enqueue(JobRequest.of(new Note(grouped("note", "mixed"))).group("mixed"));
  }

  private long grouped(String kind, String group) {
    return ledger.promise(kind, 1, group);
  }

  private void chain() {
    long first = promise("call");
    long second = promise("mail", first);
    long third = promise("note", second);
    jobs.enqueueAll(
        List.of(
            JobRequest.of(new Call(first)).ref("first"),
            changed.mail(second).ref("second").after("first"),
            JobRequest.of(new Note(third)).after("second")));
  }

  private void batch() {
    long one = promise("note");
    long two = promise("call");
    long next = promise("parcel", one, two);
    long last = promise("note", next);
    jobs.batch("round-" + one)
        .wave(1, new Note(one), new Call(two))
        .wave(2, changed.parcel(next))
        .onSuccess(new Note(last))
        .seal();
  }
}
