package org.readpast.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.support.LogLines;

class OutageTest {
  private static final Logger LOG = System.getLogger(OutageTest.class.getName());
  private static final RuntimeException REFUSED =
      new DatabaseUnavailableException(
          "tried several times",
          new IllegalStateException(
              new SQLException(
                  "Connection to db.example.org:5432 refused.",
                  "08001",
                  new java.net.ConnectException("Connection refused"))));
  private static final RuntimeException DEADLOCK =
      new DatabaseUnavailableException(
          "tried several times", new SQLException("deadlock detected", "40P01"));

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private final Outage outage = new Outage("shop", "host-1", nanos::get);
  private final LogLines log = new LogLines("org.readpast.database");

  @AfterEach
  void close() {
    log.close();
  }

  private void pass(long millis) {
    nanos.addAndGet(Duration.ofMillis(millis).toNanos());
  }

  private void fail() {
    outage.warn(LOG, "READPAST-0010 jobs of queue 'q' could not be claimed", REFUSED);
  }

  @Test
  void outage_is_logged_at_its_beginning_and_with_its_length_at_its_end() {
    fail();
    pass(31_000);
    fail();
    pass(250);
    outage.reached();
    pass(5_000);
    outage.reached();
    outage.reached();
    assertThat(log.from(Level.INFO))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("WARNING READPAST-0040 ")
                    .contains("application 'shop' on node 'host-1'")
                    .endsWith("java.sql.SQLException: Connection to db.example.org:5432 refused."),
            line ->
                assertThat(line)
                    .startsWith("INFO READPAST-0041 ")
                    .contains("application 'shop' on node 'host-1'")
                    .endsWith("it was unavailable for 31.3 s"));
    assertThat(log.count("READPAST-0010")).as("at DEBUG").isEqualTo(2);
  }

  @Test
  void failures_within_seconds_are_one_outage() {
    fail();
    pass(10_000);
    outage.reached();
    pass(4_000);
    outage.reached();
    assertThat(outage.unavailable()).isFalse();
    assertThat(outage.lasts()).isTrue();
    fail();
    assertThat(outage.unavailable()).isTrue();
    pass(1_000);
    outage.reached();
    pass(5_000);
    outage.reached();
    assertThat(log.from(Level.INFO)).hasSize(2).last().asString().endsWith(" 15.0 s");
    assertThat(outage.lasts()).isFalse();
  }

  @Test
  void next_outage_is_logged_again() {
    for (int i = 0; i < 2; i++) {
      fail();
      outage.reached();
      pass(5_000);
      outage.reached();
      pass(Duration.ofHours(1).toMillis());
    }
    assertThat(log.from(Level.INFO)).hasSize(4);
  }

  @Test
  void database_was_unavailable_after_each_moment_before_it_responded() {
    long before = nanos.get();
    assertThat(outage.unavailableAfter(before)).isFalse();
    pass(1_000);
    fail();
    assertThat(outage.unavailableAfter(nanos.get())).isTrue();
    pass(3_000);
    long during = nanos.get() - 1;
    outage.reached();
    for (int seconds = 0; seconds < 7; seconds++) {
      assertThat(outage.unavailableAfter(before)).isTrue();
      assertThat(outage.unavailableAfter(during)).isTrue();
      assertThat(outage.unavailableAfter(during + 1)).as("%d s later", seconds).isFalse();
      pass(1_000);
      outage.reached();
    }
    assertThat(outage.lasts()).isFalse();
  }

  @Test
  void outage_ends_later_if_the_database_has_just_failed_again() {
    for (int i = 0; i < 60; i++) {
      fail();
      for (int second = 0; second < 10; second++) {
        pass(1_000);
        outage.reached();
      }
    }
    assertThat(log.from(Level.INFO)).as("lines in ten minutes").hasSize(3);
    pass(20_000);
    outage.reached();
    assertThat(outage.lasts()).isFalse();
  }

  @Test
  void other_errors_are_logged_each_time_and_begin_no_outage() {
    outage.warn(LOG, "READPAST-0030 jobs could not be released", DEADLOCK);
    outage.log(LOG, Level.ERROR, "READPAST-0007 a step failed", new NullPointerException());
    assertThat(outage.record(new IllegalArgumentException())).isFalse();
    assertThat(log.from(Level.INFO))
        .containsExactly(
            "WARNING READPAST-0030 jobs could not be released: java.sql.SQLException: deadlock"
                + " detected",
            "SEVERE READPAST-0007 a step failed");
    assertThat(outage.lasts()).isFalse();
  }
}
