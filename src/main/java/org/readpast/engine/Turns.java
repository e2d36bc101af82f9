package org.readpast.engine;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;
import org.readpast.store.Endings;
import org.readpast.store.Transactions;

/** Gives each job its turn: beside others, or alone when it is suspected of killing its server. */
final class Turns {
  private static final long FIRST_WAIT_MILLIS = 1_000;
  private static final int MOST_DOUBLINGS = 6;
  private static final Duration UNTIL_NEXT_TURN = Duration.ofSeconds(10);
  private static final long NOTED_NANOS = 1_000_000_000L;
  // For less there is the grace of who would take it over.
  private static final Duration SHORT_WAIT = Duration.ofSeconds(4);
  // One suspect may come after another.
  private static final Duration LONG_WAIT = Duration.ofMinutes(1);

  private final Transactions transactions;
  private final Claims claims;
  private final Endings endings;
  private final AloneGate gate = new AloneGate();

  Turns(Transactions transactions, Claims claims, Endings endings) {
    this.transactions = transactions;
    this.claims = claims;
    this.endings = endings;
  }

  /** Waits until jobs may work beside each other; to be called where nothing is held. */
  void awaitOpen() throws InterruptedException {
    gate.awaitOpen();
  }

  /** Gives a turn beside others, unless that would mean to wait: a transaction must not. */
  AloneGate.@Nullable Turn tryEnter() {
    return gate.tryEnter();
  }

  /**
   * Works a leased job in its turn. A suspect whose turn does not come soon is put back for a
   * while, and waits longer each time; another that had to wait may have been taken over meanwhile,
   * and is not worked then.
   */
  void take(ClaimedJob job, Consumer<AloneGate.Turn> work) throws InterruptedException {
    long asked = System.nanoTime();
    AloneGate.Turn turn = job.suspect() ? alone(job) : beside(job);
    if (turn == null) {
      transactions.fresh(() -> endings.retry(job, UNTIL_NEXT_TURN, false));
      return;
    }
    try {
      boolean waited = System.nanoTime() - asked > NOTED_NANOS;
      boolean ours =
          job.suspect()
              ? transactions.fresh(() -> claims.markAlone(job, true))
              : !waited || transactions.fresh(() -> claims.owns(job));
      if (ours) {
        work.accept(turn);
      }
    } finally {
      turn.end();
    }
  }

  private AloneGate.@Nullable Turn alone(ClaimedJob job) throws InterruptedException {
    Duration longest =
        Duration.ofMillis(FIRST_WAIT_MILLIS << Math.min(job.uncounted(), MOST_DOUBLINGS));
    if (longest.compareTo(SHORT_WAIT) > 0) {
      postpone(job, longest);
    }
    return gate.enterAlone(longest.toMillis());
  }

  private AloneGate.Turn beside(ClaimedJob job) throws InterruptedException {
    AloneGate.Turn turn = gate.tryEnter();
    while (turn == null) {
      postpone(job, LONG_WAIT);
      turn = gate.enter(LONG_WAIT.toMillis());
    }
    return turn;
  }

  /** To wait is not to work: it must not be taken over for that, and charged. */
  private void postpone(ClaimedJob job, Duration wait) {
    transactions.fresh(() -> claims.postpone(job, wait));
  }

  /**
   * Lets others work beside a suspect that has worked alone for long; from now on a crash is not
   * charged to it. One that is not this claim's any more cannot be charged anyway.
   */
  void share(ClaimedJob job, AloneGate.Turn turn) {
    transactions.fresh(() -> claims.markAlone(job, false));
    turn.share();
  }
}
