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
  private static final long LONGEST_WAIT_MILLIS = 1_000;
  private static final Duration UNTIL_NEXT_TURN = Duration.ofSeconds(10);

  private final Transactions transactions;
  private final Claims claims;
  private final Endings endings;
  private final AloneGate gate = new AloneGate();

  Turns(Transactions transactions, Claims claims, Endings endings) {
    this.transactions = transactions;
    this.claims = claims;
    this.endings = endings;
  }

  /** Works a job in its turn; a suspect whose turn does not come soon is put back for a while. */
  void take(ClaimedJob job, Consumer<AloneGate.@Nullable Turn> work) throws InterruptedException {
    if (!job.suspect()) {
      gate.enter();
      try {
        work.accept(null);
      } finally {
        gate.leave();
      }
      return;
    }
    AloneGate.Turn turn = gate.enterAlone(LONGEST_WAIT_MILLIS);
    if (turn == null) {
      transactions.fresh(() -> endings.retry(job, UNTIL_NEXT_TURN, false));
      return;
    }
    try {
      if (transactions.fresh(() -> claims.markAlone(job, true))) {
        work.accept(turn);
      }
    } finally {
      turn.end();
    }
  }

  /**
   * Lets others work beside a suspect that has worked alone for long; from now on a crash is not
   * charged to it.
   */
  void share(ClaimedJob job, AloneGate.Turn turn) {
    if (transactions.fresh(() -> claims.markAlone(job, false))) {
      turn.share();
    }
  }
}
