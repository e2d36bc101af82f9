package org.readpast.engine;

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
import org.readpast.store.Claims.Stretch;
import org.readpast.store.WaveStore.Wave;
import org.readpast.support.ClaimedJobs;

class OpenWaveTest {
  private static final Arrival LANE = new Arrival("q", "t", 4);
  private static final Wave WAVE = new Wave(5, 2);

  private final AtomicInteger ended = new AtomicInteger();
  private final OpenWave wave = new OpenWave(3, LANE, WAVE, 9, ended::incrementAndGet);

  private static List<ClaimedJob> jobs(long... ids) {
    return LongStream.of(ids).mapToObj(id -> ClaimedJobs.leased(id, "q", "t", 1)).toList();
  }

  private Stretch entered() {
    return entered(2);
  }

  private Stretch entered(int most) {
    Stretch stretch = wave.enter(most);
    assertThat(stretch).isNotNull();
    return stretch;
  }

  private static Stretch stretch(long after, long before, boolean fromTheEnd) {
    return stretch(after, before, fromTheEnd, 2);
  }

  private static Stretch stretch(long after, long before, boolean fromTheEnd, int most) {
    return new Stretch(WAVE, "q", "t", 4, after, before, fromTheEnd, most);
  }

  @Test
  void two_claim_beside_each_other_one_from_each_end() {
    assertThat(entered()).isEqualTo(stretch(0, Long.MAX_VALUE, false));
    assertThat(entered()).isEqualTo(stretch(0, Long.MAX_VALUE, true));
    assertThat(wave.enter(2)).isNull();
  }

  @Test
  void next_claim_goes_on_between_what_was_claimed() {
    Stretch first = entered();
    Stretch last = entered();
    wave.leave(last, jobs(9, 8));
    assertThat(entered()).isEqualTo(stretch(0, 8, true));
    wave.leave(first, jobs(1, 2));
    assertThat(entered()).isEqualTo(stretch(2, 8, false));
  }

  @Test
  void none_goes_where_those_before_it_take_all() {
    Stretch first = entered(5);
    Stretch last = entered(4);
    wave.leave(first, jobs(1, 2, 3, 4, 5));
    assertThat(wave.enter(5)).isNull();
    assertThat(wave.over()).isFalse();
    wave.leave(last, jobs(9, 8, 7, 6));
    assertThat(wave.over()).isTrue();
    assertThat(ended).hasValue(0);
  }

  @Test
  void resolver_goes_on_where_a_claim_has_failed() {
    wave.leave(entered(), List.of());
    assertThat(wave.over()).isTrue();
    assertThat(wave.goesOn(System.nanoTime())).isFalse();
    assertThat(ended).hasValue(1);
  }

  @Test
  void wave_makes_those_before_it_and_what_other_nodes_have_said_needless() {
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
  void wave_is_over_once_a_claim_comes_back_short() {
    wave.leave(entered(), jobs(1, 2));
    assertThat(wave.over()).isFalse();
    wave.leave(entered(), jobs(3));
    assertThat(wave.over()).isTrue();
    assertThat(wave.enter(2)).isNull();
    assertThat(ended).hasValue(0);
  }

  @Test
  void wave_is_over_once_as_many_were_claimed_as_it_has() {
    wave.leave(entered(3), jobs(1, 2, 3));
    wave.leave(entered(3), jobs(4, 5, 6));
    assertThat(wave.over()).isFalse();
    wave.leave(entered(3), jobs(7, 8, 9));
    assertThat(wave.over()).isTrue();
    assertThat(ended).hasValue(0);
  }

  @Test
  void what_is_left_is_for_the_resolver_when_a_claim_finds_nothing() {
    Stretch first = entered();
    Stretch last = entered();
    wave.leave(first, jobs());
    assertThat(wave.over()).isTrue();
    assertThat(ended).hasValue(1);
    assertThat(wave.goesOn(System.nanoTime())).isTrue();
    wave.leave(last, jobs());
    assertThat(wave.goesOn(System.nanoTime())).isFalse();
  }

  @Test
  void resolver_is_told_once_when_the_last_puts_down_what_it_has_claimed() {
    Stretch first = entered();
    Stretch last = entered();
    wave.leave(first, jobs(1, 2));
    wave.leave(last, jobs(9, 8));
    wave.putDown();
    assertThat(ended).hasValue(0);
    wave.putDown();
    assertThat(ended).hasValue(1);
  }

  @Test
  void resolver_is_not_told_while_a_claim_is_under_way() {
    wave.leave(entered(), jobs(1, 2));
    Stretch next = entered();
    wave.putDown();
    assertThat(ended).hasValue(0);
    wave.leave(next, jobs(3, 4));
    wave.putDown();
    assertThat(ended).hasValue(1);
  }

  @Test
  void who_has_opened_it_tells_of_ends_when_all_are_down_but_only_for_a_moment() {
    long now = System.nanoTime();
    long later = now + Duration.ofMillis(200).toNanos();
    wave.look(later);
    assertThat(wave.keepQuiet(now)).isTrue();
    wave.look(now);
    assertThat(ended).hasValue(0);
    wave.look(later);
    assertThat(ended).as("as one takes longer").hasValue(1);
    wave.look(later);
    assertThat(wave.keepQuiet(later)).isFalse();
    wave.look(later);
    assertThat(ended).as("once").hasValue(1);
    OpenWave heard = OpenWave.parse(wave.encode());
    assertThat(heard.keepQuiet(now)).isFalse();
    heard.leave(Objects.requireNonNull(heard.enter(2)), jobs(1, 2));
    heard.putDown();
  }

  @Test
  void what_a_claim_leaves_is_nobody_elses_when_the_resolver_is_told() {
    List<Boolean> goesOn = new ArrayList<>();
    AtomicReference<OpenWave> one = new AtomicReference<>();
    one.set(new OpenWave(3, LANE, WAVE, 9, () -> goesOn.add(one.get().goesOn(System.nanoTime()))));
    one.get().leave(Objects.requireNonNull(one.get().enter(2)), jobs());
    assertThat(goesOn).containsExactly(false);
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
    Stretch stretch = entered(1);
    assertThat(wave.goesOn(later)).isTrue();
    assertThat(wave.goesOn(tooLate)).isFalse();
    wave.leave(stretch, jobs(1));
    assertThat(wave.goesOn(System.nanoTime())).isTrue();
    assertThat(wave.goesOn(later)).isFalse();
  }

  @Test
  void another_node_hears_which_it_is() {
    OpenWave heard = OpenWave.parse(wave.encode());
    assertThat(heard.node()).isEqualTo(3);
    assertThat(heard.lane()).isEqualTo(LANE);
    assertThat(heard.wave()).isEqualTo(WAVE);
    assertThat(heard.enter(8)).isEqualTo(stretch(0, Long.MAX_VALUE, false, 8));
    assertThat(heard.enter(1)).isNotNull();
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
  void what_no_node_has_said_is_refused(String word) {
    assertThatThrownBy(() -> OpenWave.parse(word)).isInstanceOf(IllegalArgumentException.class);
  }
}
