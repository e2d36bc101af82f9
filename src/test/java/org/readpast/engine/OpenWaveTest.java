package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims.Stretch;
import org.readpast.store.SettlingWaves.Wave;
import org.readpast.support.ClaimedJobs;

class OpenWaveTest {
  private static final Arrival LANE = new Arrival("q", "t", 4);
  private static final Wave WAVE = new Wave(5, 2);

  private final AtomicInteger ended = new AtomicInteger();
  private final OpenWave wave = new OpenWave(3, LANE, WAVE, ended::incrementAndGet);

  private static List<ClaimedJob> jobs(long... ids) {
    return LongStream.of(ids).mapToObj(id -> ClaimedJobs.leased(id, "q", "t", 1)).toList();
  }

  private Stretch entered() {
    Stretch stretch = wave.enter();
    assertThat(stretch).isNotNull();
    return stretch;
  }

  private static Stretch stretch(long after, long before, boolean fromTheEnd) {
    return new Stretch(WAVE, "q", "t", 4, after, before, fromTheEnd);
  }

  @Test
  void two_claim_beside_each_other_one_from_each_end() {
    assertThat(entered()).isEqualTo(stretch(0, Long.MAX_VALUE, false));
    assertThat(entered()).isEqualTo(stretch(0, Long.MAX_VALUE, true));
    assertThat(wave.enter()).isNull();
  }

  @Test
  void next_claim_goes_on_between_what_was_claimed() {
    Stretch first = entered();
    Stretch last = entered();
    wave.found(last, jobs(8, 9), 2);
    wave.found(first, jobs(1, 2), 2);
    wave.leave(last);
    assertThat(entered()).isEqualTo(stretch(2, 8, true));
    wave.leave(first);
    assertThat(entered()).isEqualTo(stretch(2, 8, false));
  }

  @Test
  void claim_that_failed_leaves_all_as_it_was() {
    wave.leave(entered());
    assertThat(entered()).isEqualTo(stretch(0, Long.MAX_VALUE, false));
  }

  @Test
  void wave_is_over_once_a_claim_comes_back_short() {
    Stretch first = entered();
    wave.found(first, jobs(1, 2), 2);
    wave.leave(first);
    assertThat(wave.over()).isFalse();
    wave.found(entered(), jobs(3), 2);
    assertThat(wave.over()).isTrue();
    assertThat(wave.enter()).isNull();
    assertThat(ended).hasValue(0);
  }

  @Test
  void what_is_left_is_for_the_settlement_when_a_claim_finds_nothing() {
    Stretch first = entered();
    Stretch last = entered();
    wave.found(first, jobs(), 2);
    wave.leave(first);
    assertThat(wave.over()).isTrue();
    assertThat(ended).hasValue(1);
    assertThat(wave.goesOn(System.nanoTime())).isTrue();
    wave.leave(last);
    assertThat(wave.goesOn(System.nanoTime())).isFalse();
  }

  @Test
  void receivers_go_on_with_it_while_they_claim_and_for_a_moment_after() {
    long now = System.nanoTime();
    long later = now + Duration.ofMillis(500).toNanos();
    long tooLate = now + Duration.ofSeconds(2).toNanos();
    long muchLater = now + Duration.ofMinutes(2).toNanos();
    assertThat(wave.goesOn(now)).isTrue();
    assertThat(wave.goesOn(later)).isFalse();
    assertThat(wave.forgotten(later)).isFalse();
    assertThat(wave.forgotten(muchLater)).isTrue();
    Stretch stretch = entered();
    assertThat(wave.goesOn(later)).isTrue();
    assertThat(wave.goesOn(tooLate)).isFalse();
    wave.found(stretch, jobs(1), 1);
    wave.leave(stretch);
    assertThat(wave.goesOn(System.nanoTime())).isTrue();
    assertThat(wave.goesOn(later)).isFalse();
  }

  @Test
  void another_node_hears_which_it_is() {
    OpenWave heard = OpenWave.heard(wave.word());
    assertThat(heard.node()).isEqualTo(3);
    assertThat(heard.lane()).isEqualTo(LANE);
    assertThat(heard.wave()).isEqualTo(WAVE);
    assertThat(heard.enter()).isEqualTo(stretch(0, Long.MAX_VALUE, false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "q:t:4", "1:q:t:4:5", "1:q:t:4:5:x", "x:q:t:4:5:2", "1:q:t:4:5:2:3"})
  void what_no_node_has_said_is_refused(String word) {
    assertThatThrownBy(() -> OpenWave.heard(word)).isInstanceOf(IllegalArgumentException.class);
  }
}
