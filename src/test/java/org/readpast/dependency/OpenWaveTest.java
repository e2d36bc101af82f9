package org.readpast.dependency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims.WaveRange;
import org.readpast.store.Wave;
import org.readpast.support.ClaimedJobFactory;

class OpenWaveTest {
  private static final QueueLane LANE = new QueueLane("q", "t", 4);
  private static final Wave WAVE = new Wave(5, 2);

  private final AtomicInteger ended = new AtomicInteger();
  private final OpenWave wave = new OpenWave(3, LANE, WAVE, 9, ended::incrementAndGet);

  private static List<ClaimedJob> jobs(long... ids) {
    return LongStream.of(ids).mapToObj(id -> ClaimedJobFactory.leased(id, "q", "t", 1)).toList();
  }

  private WaveRange entered() {
    return entered(2);
  }

  private WaveRange entered(int most) {
    WaveRange range = wave.beginClaim(most);
    assertThat(range).isNotNull();
    return range;
  }

  private static WaveRange stretch(long after, long before, boolean fromTheEnd) {
    return stretch(after, before, fromTheEnd, 2);
  }

  private static WaveRange stretch(long after, long before, boolean fromTheEnd, int most) {
    return new WaveRange(WAVE, "q", "t", 4, after, before, fromTheEnd, most);
  }

  @Test
  void two_concurrent_claims_take_one_end_of_the_wave_each() {
    assertThat(entered()).isEqualTo(stretch(0, Long.MAX_VALUE, false));
    assertThat(entered()).isEqualTo(stretch(0, Long.MAX_VALUE, true));
    assertThat(wave.beginClaim(2)).isNull();
  }

  @Test
  void next_claim_continues_between_the_claimed_ends() {
    WaveRange first = entered();
    WaveRange last = entered();
    wave.endClaim(last, jobs(9, 8));
    assertThat(entered()).isEqualTo(stretch(0, 8, true));
    wave.endClaim(first, jobs(1, 2));
    assertThat(entered()).isEqualTo(stretch(2, 8, false));
  }

  @Test
  void no_claim_begins_if_claims_in_progress_may_take_all_jobs() {
    WaveRange first = entered(5);
    WaveRange last = entered(4);
    wave.endClaim(first, jobs(1, 2, 3, 4, 5));
    assertThat(wave.beginClaim(5)).isNull();
    assertThat(wave.exhausted()).isFalse();
    wave.endClaim(last, jobs(9, 8, 7, 6));
    assertThat(wave.exhausted()).isTrue();
    assertThat(ended).hasValue(0);
  }

  @Test
  void resolver_is_woken_when_a_claim_has_failed() {
    wave.endClaim(entered(), List.of());
    assertThat(wave.exhausted()).isTrue();
    assertThat(wave.stillClaimed(System.nanoTime())).isFalse();
    assertThat(ended).hasValue(1);
  }

  @Test
  void wave_opened_here_replaces_earlier_waves_and_received_copies() {
    OpenWave heard = OpenWave.parse(wave.encode());
    OpenWave next = new OpenWave(3, LANE, new Wave(5, 3), 9, ended::incrementAndGet);
    OpenWave other = new OpenWave(3, LANE, new Wave(6, 1), 9, ended::incrementAndGet);
    assertThat(next.replaces(wave)).isTrue();
    assertThat(wave.replaces(next)).isFalse();
    assertThat(next.replaces(other)).isFalse();
    assertThat(wave.replaces(heard)).isTrue();
    assertThat(heard.replaces(wave)).isFalse();
  }

  @Test
  void wave_is_exhausted_once_a_claim_finds_fewer_jobs() {
    wave.endClaim(entered(), jobs(1, 2));
    assertThat(wave.exhausted()).isFalse();
    wave.endClaim(entered(), jobs(3));
    assertThat(wave.exhausted()).isTrue();
    assertThat(wave.beginClaim(2)).isNull();
    assertThat(ended).hasValue(0);
  }

  @Test
  void wave_is_exhausted_once_all_its_jobs_were_claimed() {
    wave.endClaim(entered(3), jobs(1, 2, 3));
    wave.endClaim(entered(3), jobs(4, 5, 6));
    assertThat(wave.exhausted()).isFalse();
    wave.endClaim(entered(3), jobs(7, 8, 9));
    assertThat(wave.exhausted()).isTrue();
    assertThat(ended).hasValue(0);
  }

  @Test
  void resolver_is_woken_when_a_claim_finds_nothing() {
    WaveRange first = entered();
    WaveRange last = entered();
    wave.endClaim(first, jobs());
    assertThat(wave.exhausted()).isTrue();
    assertThat(ended).hasValue(1);
    assertThat(wave.stillClaimed(System.nanoTime())).isTrue();
    wave.endClaim(last, jobs());
    assertThat(wave.stillClaimed(System.nanoTime())).isFalse();
  }

  @Test
  void resolver_is_woken_once_by_the_last_release() {
    WaveRange first = entered();
    WaveRange last = entered();
    wave.endClaim(first, jobs(1, 2));
    wave.endClaim(last, jobs(9, 8));
    wave.release();
    assertThat(ended).hasValue(0);
    wave.release();
    assertThat(ended).hasValue(1);
  }

  @Test
  void resolver_is_not_woken_while_a_claim_is_in_progress() {
    wave.endClaim(entered(), jobs(1, 2));
    WaveRange next = entered();
    wave.release();
    assertThat(ended).hasValue(0);
    wave.endClaim(next, jobs(3, 4));
    wave.release();
    assertThat(ended).hasValue(1);
  }

  @Test
  void opening_node_defers_wake_ups_only_briefly() {
    long now = System.nanoTime();
    long later = now + Duration.ofMillis(200).toNanos();
    wave.wakeResolverIfLate(later);
    assertThat(wave.deferResolverWakeUp(now)).isTrue();
    wave.wakeResolverIfLate(now);
    assertThat(ended).hasValue(0);
    wave.wakeResolverIfLate(later);
    assertThat(ended).as("one job takes longer").hasValue(1);
    wave.wakeResolverIfLate(later);
    assertThat(wave.deferResolverWakeUp(later)).isFalse();
    wave.wakeResolverIfLate(later);
    assertThat(ended).as("reported once").hasValue(1);
    OpenWave heard = OpenWave.parse(wave.encode());
    assertThat(heard.deferResolverWakeUp(now)).isFalse();
    heard.endClaim(Objects.requireNonNull(heard.beginClaim(2)), jobs(1, 2));
    heard.release();
  }

  @Test
  void no_claim_is_in_progress_when_the_resolver_is_woken() {
    List<Boolean> goesOn = new ArrayList<>();
    AtomicReference<OpenWave> one = new AtomicReference<>();
    one.set(
        new OpenWave(
            3, LANE, WAVE, 9, () -> goesOn.add(one.get().stillClaimed(System.nanoTime()))));
    one.get().endClaim(Objects.requireNonNull(one.get().beginClaim(2)), jobs());
    assertThat(goesOn).containsExactly(false);
  }

  @Test
  void wave_is_still_claimed_during_claims_and_briefly_afterwards() {
    long now = System.nanoTime();
    long later = now + Duration.ofMillis(500).toNanos();
    long tooLate = now + Duration.ofSeconds(2).toNanos();
    long muchLater = now + Duration.ofMinutes(2).toNanos();
    assertThat(wave.stillClaimed(now)).isTrue();
    assertThat(wave.stillClaimed(later)).isFalse();
    assertThat(wave.unused(later)).isFalse();
    assertThat(wave.unused(muchLater)).isTrue();
    WaveRange range = entered(1);
    assertThat(wave.stillClaimed(later)).isTrue();
    assertThat(wave.stillClaimed(tooLate)).isFalse();
    wave.endClaim(range, jobs(1));
    assertThat(wave.stillClaimed(System.nanoTime())).isTrue();
    assertThat(wave.stillClaimed(later)).isFalse();
  }

  @Test
  void notification_identifies_the_wave() {
    OpenWave heard = OpenWave.parse(wave.encode());
    assertThat(heard.node()).isEqualTo(3);
    assertThat(heard.lane()).isEqualTo(LANE);
    assertThat(heard.wave()).isEqualTo(WAVE);
    assertThat(heard.beginClaim(8)).isEqualTo(stretch(0, Long.MAX_VALUE, false, 8));
    assertThat(heard.beginClaim(1)).isNotNull();
    assertThat(heard.admitsAnother()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "q:t:4",
        "1:q:t:4:5",
        "1:q:t:4:5:2",
        "1:q:t:4:5:x:7",
        "x:q:t:4:5:2:7",
        "1:q:t:4:5:2:7:3"
      })
  void malformed_notification_is_refused(String word) {
    assertThatThrownBy(() -> OpenWave.parse(word)).isInstanceOf(IllegalArgumentException.class);
  }
}
