package org.readpast.rest.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.support.TestDatabase.column;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.Audit;
import org.readpast.admin.IdempotentRequests;
import org.readpast.admin.JobControl;
import org.readpast.api.NotFoundException;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Body;
import org.readpast.support.Database;
import org.readpast.support.IgnoredSignals;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/** Tests requests that change a job without an idempotency key, and then read the job. */
class IdempotencyKeysIT {
  private final Database database = TestDatabase.withTables();
  private final LocalTransactions transactions = new LocalTransactions(database);
  private final List<String> woken = new ArrayList<>();
  private final JobControl control =
      new JobControl(
          transactions,
          new IgnoredSignals() {
            @Override
            public void jobsAvailable(Collection<String> queues) {
              woken.addAll(queues);
            }
          },
          new Audit(transactions, () -> "operator"));
  private final IdempotencyKeys keys = new IdempotencyKeys();

  @BeforeEach
  void enqueue() {
    keys.requests = new IdempotentRequests(transactions);
    database.execute(
        """
        insert into readpast_job (id, queue, type, state, available_at, payload)
        values (7, 'q', 't', 'SCHEDULED', clock_timestamp() + interval '1 hour', '{}')""");
  }

  @AfterEach
  void close() {
    transactions.close();
  }

  private Answer post(Supplier<Answer> work) {
    return keys.answer(new Caller(), Body.none(InputStream.nullInputStream()), work);
  }

  private List<String> states() {
    return column(database, "select state from readpast_job for update skip locked");
  }

  @Test
  void changed_job_cannot_be_claimed_before_the_request_has_read_it() {
    List<String> claimable = new ArrayList<>();
    Answer answer =
        post(
            () -> {
              control.runNow(7);
              claimable.addAll(states());
              assertThat(woken).isEmpty();
              return Answer.of(200, 7);
            });
    assertThat(claimable).isEmpty();
    assertThat(answer.status()).isEqualTo(200);
    assertThat(states()).containsExactly("AVAILABLE");
    assertThat(woken).containsExactly("q");
    assertThat(column(database, "select action || ' ' || target from readpast_audit"))
        .containsExactly("job.run 7");
  }

  @Test
  void request_that_cannot_read_its_job_changes_nothing() {
    assertThatThrownBy(
            () ->
                post(
                    () -> {
                      control.runNow(7);
                      throw new NotFoundException("planted");
                    }))
        .isInstanceOf(NotFoundException.class);
    assertThat(states()).containsExactly("SCHEDULED");
    assertThat(woken).isEmpty();
    assertThat(column(database, "select action from readpast_audit")).isEmpty();
  }
}
