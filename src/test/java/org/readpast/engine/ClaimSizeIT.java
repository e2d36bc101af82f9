package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.model.NewJob;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/** Tests how many jobs a receiver claims in a queue with fast and slow jobs. */
class ClaimSizeIT {
  // PostgreSQL keeps the mark of a row lock after the transaction has ended.
  private static final String LOCKED =
      "select count(*) from readpast_job where state = 'AVAILABLE' and cast(xmax as text) <> '0'";

  private final Database database = TestDatabase.withTables();
  private final LocalTransactions transactions = new LocalTransactions(database);
  private final StepNode node =
      new StepNode("n", transactions, RetryPolicy.DEFAULT, List.of("fast", "slow"), "unkept");

  ClaimSizeIT() {
    node.register();
  }

  @AfterEach
  void close() {
    transactions.close();
  }

  private void enqueue(String type, int jobs) {
    NewJob job = new NewJob("q", type, 4, null, null, null, null, null, null, null, null, "{}");
    node.enqueue(Collections.nCopies(jobs, job));
  }

  @Test
  void claim_of_slow_jobs_locks_none_that_it_leaves_to_other_nodes() throws InterruptedException {
    enqueue("slow", 40);
    for (int i = 1; i <= 3; i++) {
      assertThat(node.lease("q")).isEqualTo(1);
      assertThat(count(database, LOCKED)).as("locked after claim %d", i).isZero();
    }
  }

  @Test
  void fast_jobs_are_claimed_together_as_soon_as_one_was_found() throws InterruptedException {
    enqueue("fast", 40);
    assertThat(node.lease("q") + node.lease("q")).isEqualTo(40);
  }
}
