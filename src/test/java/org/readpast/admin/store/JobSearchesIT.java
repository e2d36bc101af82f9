package org.readpast.admin.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobState;
import org.readpast.model.JobSearch;
import org.readpast.model.QueueScope;
import org.readpast.model.SearchOrder;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

class JobSearchesIT {
  private static final int JOBS = 20_000;

  @Test
  void search_that_reaches_its_time_limit_continues_from_its_position() {
    Database database = TestDatabase.withTables();
    database.execute(
        "insert into readpast_job (id, queue, type, state, position, available_at, payload) select"
            + " i, 'q', 'known', 'AVAILABLE', i, clock_timestamp(), json_build_object('n', i % 9999)"
            + " from generate_series(1, "
            + JOBS
            + ") i");
    try (var transactions = new LocalTransactions(database)) {
      JobSearches searches = new JobSearches(transactions, QueueScope.ALL, Duration.ZERO);
      List<Long> found = new ArrayList<>();
      Long below = JobSearches.NEWEST;
      long searched = 0;
      int calls = 0;
      while (below != null) {
        long from = below;
        var piece =
            transactions.required(() -> searches.ids(JobSearch.parse("payload.n:1"), from, 10));
        found.addAll(piece.found());
        searched += piece.searched();
        below = piece.next();
        calls++;
      }
      assertThat(found).containsExactly(19_999L, 10_000L, 1L);
      assertThat(searched).isEqualTo(JOBS);
      assertThat(calls).isGreaterThan(5);
    }
  }

  @Test
  void search_from_the_oldest_job_that_reaches_its_time_limit_continues_from_its_position() {
    Database database = TestDatabase.withTables();
    database.execute(
        "insert into readpast_job (id, queue, type, state, position, available_at, payload) select"
            + " i, 'q', 'known', 'AVAILABLE', i, clock_timestamp(), json_build_object('n', i % 9999)"
            + " from generate_series(1, "
            + JOBS
            + ") i");
    try (var transactions = new LocalTransactions(database)) {
      JobSearches searches = new JobSearches(transactions, QueueScope.ALL, Duration.ZERO);
      List<Long> found = new ArrayList<>();
      Long after = null;
      long searched = 0;
      do {
        Long from = after;
        var piece =
            transactions.required(
                () -> searches.page(JobSearch.parse("payload.n:1"), SearchOrder.OLDEST, from, 10));
        piece.found().forEach(job -> found.add(job.id()));
        searched += piece.searched();
        after = piece.next();
      } while (after != null);
      assertThat(found).containsExactly(1L, 10_000L, 19_999L);
      assertThat(searched).isEqualTo(JOBS);
    }
  }

  @Test
  void few_failed_jobs_are_counted_although_the_full_count_times_out() {
    Database database = TestDatabase.withTables();
    database.execute(
        "insert into readpast_job_history (id, queue, type, state, claim_no, attempt, uncounted,"
            + " crashes, priority, enqueued_at, available_at, payload) select i, 'q', 'known', case"
            + " when i <= 3 then 'DISCARDED' else 'COMPLETED' end, 1, 1, 0, 0, 4, clock_timestamp(),"
            + " clock_timestamp(), '{}' from generate_series(1, "
            + JOBS
            + ") i");
    try (var transactions = new LocalTransactions(database)) {
      JobSearches searches = new JobSearches(transactions, QueueScope.ALL, Duration.ZERO);
      var counts = transactions.required(() -> searches.count(JobSearch.parse("queue:q")));
      assertThat(counts.get(JobState.DISCARDED)).isEqualTo(new JobSearches.Count(3, true));
      assertThat(counts.get(JobState.COMPLETED).complete()).isFalse();
    }
  }
}
