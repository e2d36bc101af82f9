package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.readpast.dependency.OpenWave;
import org.readpast.dependency.QueueLane;
import org.readpast.store.JobEndListener;
import org.readpast.store.Wave;

/** Tests the notifications that wake the listener of a node. */
class WakeUpsTest {
  private final List<String> told = new ArrayList<>();

  private WakeUps wakeUps(boolean notify) {
    return new WakeUps(new ToldNotices(), null, Runnable::run, JobEndListener.NONE, notify);
  }

  private static long in(Duration wait) {
    return System.nanoTime() + wait.toNanos();
  }

  @Test
  void listener_is_notified_of_jobs_due_before_its_next_poll() {
    WakeUps wakeUps = wakeUps(true);
    wakeUps.nextDueIn(Duration.ofDays(1));
    wakeUps.noteWait(in(Duration.ofMinutes(1)));

    wakeUps.dueIn(Duration.ofHours(1));
    assertThat(told).isEmpty();
    wakeUps.dueIn(Duration.ofSeconds(30));
    wakeUps.dueIn(Duration.ofSeconds(40));
    assertThat(told).containsExactly("+");
    wakeUps.received("+");

    assertThat(wakeUps.noteWait(in(Duration.ofMinutes(1))) - System.nanoTime())
        .isBetween(0L, Duration.ofSeconds(30).toNanos());
  }

  @Test
  void active_listener_is_not_notified() {
    WakeUps wakeUps = wakeUps(true);
    wakeUps.noteWait(System.nanoTime());

    wakeUps.dueIn(Duration.ofMillis(1));

    assertThat(told).isEmpty();
  }

  @Test
  void wait_is_ended_only_if_notifications_are_received() {
    wakeUps(false).endWait();
    assertThat(told).isEmpty();
    wakeUps(true).endWait();
    assertThat(told).containsExactly("+");
  }

  @Test
  void no_notification_exceeds_the_limit_of_the_database() {
    List<Runnable> started = new ArrayList<>();
    var wakeUps = new WakeUps(new ToldNotices(), null, started::add, JobEndListener.NONE, true);
    var lane = new QueueLane("q".repeat(64), "t".repeat(300), 9);
    var wave = new Wave(Long.MAX_VALUE, Integer.MAX_VALUE);
    String longest = new OpenWave(Integer.MAX_VALUE, lane, wave, Integer.MAX_VALUE, null).encode();

    for (int i = 10; i < 99; i++) {
      wakeUps.queueChanged(longest.substring(2) + i);
    }
    started.forEach(Runnable::run);

    assertThat(told).allMatch(notice -> notice.length() < 8_000);
    assertThat(told.stream().mapToInt(notice -> notice.split(",").length).sum()).isEqualTo(89);
  }

  @Test
  void jobs_in_very_many_lanes_are_announced_by_queue() {
    List<Runnable> started = new ArrayList<>();
    var wakeUps = new WakeUps(new ToldNotices(), null, started::add, JobEndListener.NONE, true);
    for (int type = 0; type < 5_000; type++) {
      wakeUps.announceElsewhere(new QueueLane("q" + type % 7, "t" + type, 4), 1);
    }
    started.forEach(Runnable::run);

    assertThat(told.stream().flatMap(notice -> Stream.of(notice.split(","))).toList())
        .hasSize(1_007)
        .contains("q0", "q1", "q2", "q3", "q4", "q5", "q6");
  }

  private final class ToldNotices implements Notices {
    @Override
    public List<String> await(Duration longest) {
      throw new AssertionError("no thread waits here");
    }

    @Override
    public void send(String notice) {
      told.add(notice);
    }

    @Override
    public void close() {}
  }
}
