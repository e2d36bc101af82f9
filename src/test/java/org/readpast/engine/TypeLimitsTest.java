package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.readpast.engine.Settings.ConfiguredTypeLimits;
import org.readpast.engine.Settings.TypeConcurrency;
import org.readpast.store.ClaimedJob;
import org.readpast.store.TypeLimitStore.TypeLimit;
import org.readpast.support.ClaimedJobFactory;

/**
 * Tests that queues take turns in using the slots of a limited type, and that slots are released.
 */
class TypeLimitsTest {
  private static final ClaimedJob JOB = ClaimedJobFactory.leased(1, "q", "t", 1);

  private final TypeLimits limits =
      new TypeLimits(
          new ConfiguredTypeLimits(Map.of("t", new TypeConcurrency(1, null)), Map.of("old", "t")));
  private final List<String> woken = new ArrayList<>();
  private boolean mayWake = true;

  {
    limits.wakes(queue -> mayWake && woken.add(queue));
  }

  private TypeSlots claim(String queue) {
    TypeSlots slots = limits.slots(queue);
    assertThat(slots.admits("t@2")).isTrue();
    slots.claimed(List.of(JOB), Set.of());
    return slots;
  }

  @Test
  void versions_and_aliases_share_the_places_of_their_type() {
    claim("one");
    TypeSlots next = limits.slots("one");
    assertThat(next.admits("t")).isFalse();
    assertThat(next.admits("old@3")).isFalse();
    assertThat(next.admits("u")).isTrue();
  }

  @Test
  void queue_that_has_skipped_the_type_has_the_next_turn() {
    TypeSlots first = claim("one");
    assertThat(limits.slots("two").admits("t")).isFalse();
    first.release(true);
    assertThat(woken).containsExactly("two");
    assertThat(limits.slots("one").admits("t")).as("out of turn").isFalse();
    TypeSlots second = claim("two");
    second.release(true);
    assertThat(woken).containsExactly("two", "one");
  }

  @Test
  void turn_of_a_queue_that_cannot_be_woken_ends() {
    TypeSlots first = claim("one");
    assertThat(limits.slots("two").admits("t")).isFalse();
    mayWake = false;
    first.release(true);
    assertThat(limits.slots("one").admits("t")).isTrue();
  }

  @Test
  void claim_that_finds_no_job_of_the_type_releases_its_place() {
    TypeSlots first = limits.slots("one");
    assertThat(first.admits("t")).isTrue();
    assertThat(limits.slots("two").admits("t")).isFalse();
    first.claimed(List.of(), Set.of());
    assertThat(woken).containsExactly("two");
    assertThat(limits.slots("two").admits("t")).isTrue();
  }

  @Test
  void claim_that_finds_no_job_of_the_type_wakes_no_receiver_of_its_own_queue() {
    TypeSlots first = limits.slots("one");
    assertThat(first.admits("t")).isTrue();
    assertThat(limits.slots("one").admits("t")).isFalse();
    first.claimed(List.of(), Set.of());
    assertThat(woken).isEmpty();
  }

  @Test
  void turn_of_a_queue_ends_when_its_claim_did_not_scan_the_type() {
    TypeSlots first = claim("one");
    assertThat(limits.slots("two").admits("t")).isFalse();
    assertThat(limits.slots("three").admits("t")).isFalse();
    first.release(true);
    assertThat(woken).containsExactly("two");
    limits.slots("two").claimed(List.of(), Set.of());
    assertThat(woken).containsExactly("two", "three");
    limits.slots("three").claimed(List.of(), Set.of());
    assertThat(limits.slots("one").admits("t")).isTrue();
  }

  @Test
  void place_is_kept_while_jobs_of_the_type_are_left() {
    TypeSlots first = claim("one");
    first.retain(() -> Set.of("u", "t@2"));
    assertThat(limits.noSlotFree("t")).isTrue();
    first.retain(() -> Set.of("u"));
    assertThat(limits.noSlotFree("t")).isFalse();
    first.release(true);
    assertThat(limits.noSlotFree("t")).isFalse();
  }

  @Test
  void type_at_its_limit_over_all_nodes_is_skipped_until_a_job_ends_or_a_retry() {
    limits.set(List.of(new TypeLimit("t", "t", 5), new TypeLimit("old", "t", 5)));
    limits.setLimitReached(Set.of("t"), "one");
    assertThat(limits.noSlotFree("old")).isTrue();
    assertThat(limits.retryReachedLimits()).isTrue();
    assertThat(limits.retryReachedLimits()).isFalse();
    assertThat(woken).containsExactly("one");

    TypeSlots first = claim("one");
    limits.setLimitReached(Set.of("t"), "two");
    first.release(true);
    assertThat(limits.noSlotFree("t")).isFalse();
    assertThat(woken).containsExactly("one", "two");
  }

  @Test
  void queues_are_woken_when_a_limit_over_all_nodes_is_raised_or_lifted() {
    limits.set(List.of(new TypeLimit("u", "u", 1)));
    limits.setLimitReached(Set.of("u"), "one");
    limits.setLimitReached(Set.of("u"), "two");
    limits.setLimitReached(Set.of("u"), "three");
    limits.set(List.of(new TypeLimit("u", "u", 2)));
    assertThat(woken).containsExactly("one");
    limits.set(List.of());
    assertThat(woken).containsExactly("one", "two", "three");
  }
}
