package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.faults.Story.Answer;
import org.readpast.faults.Story.Asked;
import org.readpast.faults.Story.Begun;
import org.readpast.faults.Story.Effect;
import org.readpast.faults.Story.EndedJob;
import org.readpast.faults.Story.Injected;
import org.readpast.faults.Story.Over;
import org.readpast.faults.Story.Planned;
import org.readpast.faults.Story.Spec;
import org.readpast.faults.Story.Work;

class CheckerTest {
  private static final Predicate<EndedJob> WELL = EndedJob::well;

  @Test
  void correct_history_has_no_violation() {
    LongStream.range(0, 200)
        .forEach(
            seed ->
                assertThat(Checker.check(new SampleStory(seed).story()))
                    .as("seed " + seed)
                    .isEmpty());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void violation_of_each_invariant_is_found(String invariant, Consumer<SampleStory> bug) {
    LongStream.range(0, 20)
        .forEach(
            seed -> {
              SampleStory sample = new SampleStory(seed);
              bug.accept(sample);
              assertThat(Checker.check(sample.story()))
                  .as("seed " + seed)
                  .extracting(Violation::invariant)
                  .anyMatch(found -> invariant.startsWith(found));
            });
  }

  static Stream<Arguments> violation_of_each_invariant_is_found() {
    return Stream.of(
        bug("I1 lost or duplicated: a job is lost", s -> s.ended.remove(s.row(WELL))),
        bug("I1 lost or duplicated: a job ends twice", s -> s.ended.add(s.row(WELL))),
        bug(
            "I1 lost or duplicated: a rolled-back job runs",
            s -> s.asked.replaceAll(a -> a.n() == 10 ? answered(a, Answer.REFUSED) : a)),
        bug("I1 stuck: a job is left", s -> s.live.add("job 3 RUNNING")),
        bug(
            "I1 from nowhere: a job without a request",
            s -> s.ended.add(new EndedJob(999, "COMPLETED", 1, 0, 0, 1, 2))),
        bug("I2 effects: a transactional effect twice", s -> s.effects.add(effect(s, true))),
        bug("I2 effects: no effect of a completed job", s -> s.effects.remove(effect(s, true))),
        bug(
            "I2 effects: effect of a discarded job",
            s -> s.effects.add(new Effect(transactional(s, row -> !row.well()).n(), 1))),
        bug(
            "I2 effects: effect of an attempt that did not end it",
            s -> {
              Effect one = effect(s, true);
              s.effects.remove(one);
              s.effects.add(new Effect(one.n(), one.attempt() + 1));
            }),
        bug(
            "I3 at least once: acknowledged without an effect",
            s -> s.effects.remove(effect(s, false))),
        bug(
            "attempts: counted twice",
            s -> change(s, WELL, row -> attempts(row, row.attempt() + 1, row.state()))),
        bug(
            "attempts: discarded too early",
            s -> change(s, WELL, row -> attempts(row, row.attempt(), "DISCARDED"))),
        bug(
            "I3 stale owner: its acknowledgement is accepted",
            s ->
                change(
                    s,
                    WELL,
                    row ->
                        new EndedJob(
                            row.n(),
                            row.state(),
                            row.attempt() + 1,
                            0,
                            1,
                            row.enqueued(),
                            row.ended()))),
        bug(
            "I3 stale owner: acknowledged before its handler returned",
            s ->
                change(
                    s,
                    WELL,
                    row ->
                        new EndedJob(
                            row.n(),
                            row.state(),
                            row.attempt(),
                            0,
                            row.crashes(),
                            row.enqueued(),
                            row.ended() - 500_000))),
        bug(
            "I3 two owners: claimed while another server runs it",
            s -> {
              Begun one = s.begun.get(0);
              s.begun.add(new Begun(one.n(), one.attempt() + 1, "b", one.at() + 100));
            }),
        bug(
            "I3 run twice: claimed after another server has run it",
            s -> {
              Over one = s.over.stream().filter(Over::well).findFirst().orElseThrow();
              s.begun.add(new Begun(one.n(), one.attempt() + 1, "b", one.at() + 2_500));
            }),
        bug(
            "I3 fence: an attempt begins twice",
            s -> {
              Begun one = s.begun.get(0);
              s.begun.add(new Begun(one.n(), one.attempt(), "b", one.at() + 900_000));
            }),
        bug("I4 group: the second before the first", s -> early(s, one -> one.group() != null)),
        bug("I4 wave: released early", s -> early(s, one -> one.wave() == 4)),
        bug(
            "I4 wave: begun although a lower wave never ended",
            s -> s.ended.removeIf(row -> s.spec(row.n()).wave() == 3)),
        bug("I4 predecessor: not waited for", s -> early(s, one -> !one.after().isEmpty())),
        bug(
            "I4 predecessor: its failure ignored",
            s ->
                change(
                    s,
                    row -> row.n() % 10 == 4 && row.well(),
                    row -> attempts(row, row.attempt(), "EXPIRED"))),
        bug("I5 takeover: after half a minute", CheckerTest::takeOverLate),
        bug(
            "I6 unique key: not enforced",
            s -> {
              EndedJob first = s.row(row -> key(s, row) != null);
              EndedJob second = s.row(row -> row != first && key(s, first).equals(key(s, row)));
              s.asked.replaceAll(
                  a ->
                      a.n() == second.n()
                          ? new Asked(a.spec(), a.answer(), first.enqueued(), first.ended() - 5_000)
                          : a);
            }),
        bug("I6 schedule: twice", s -> s.planned.set(3, new Planned(3_000_000, 2))),
        bug("I6 schedule: missing", s -> s.planned.set(3, new Planned(3_000_000, 0))),
        bug(
            "I7 poison: completed",
            s ->
                change(
                    s,
                    row -> s.spec(row.n()).poison(),
                    row -> attempts(row, row.attempt(), "COMPLETED"))));
  }

  @Test
  void takeover_is_not_late_if_the_job_started_elsewhere_first() {
    SampleStory sample = new SampleStory(1);
    takeOverLate(sample);
    assertThat(Checker.check(sample.story()))
        .extracting(Violation::invariant)
        .contains("I5 takeover");
    sample.begun.replaceAll(
        b -> b.attempt() > 1 ? new Begun(b.n(), b.attempt() + 1, b.server(), b.at()) : b);
    assertThat(Checker.check(sample.story()))
        .extracting(Violation::invariant)
        .doesNotContain("I5 takeover");
  }

  @ParameterizedTest(name = "{0} behind {1}, priority {2} in {3}: {4} s")
  @CsvSource({
    "TRANSACTIONAL, TRANSACTIONAL, 5, q, 1",
    "TRANSACTIONAL, TRANSACTIONAL, 4, q, 1",
    "TRANSACTIONAL, TRANSACTIONAL, 3, q, 40",
    "TRANSACTIONAL, TRANSACTIONAL, 5, elsewhere, 40",
    "TRANSACTIONAL, LEASED, 5, q, 40",
    "LEASED, LEASED, 5, q, 40"
  })
  void takeover_time_starts_when_the_last_earlier_job_has_started(
      Work work, Work of, int priority, String queue, int seconds) {
    Spec before = spec(1, of, priority, queue);
    Spec lost = spec(2, work, 4, "q");
    Story story =
        new Story(
            List.of(new Asked(before, Answer.OK, 1, 2), new Asked(lost, Answer.OK, 3, 4)),
            List.of(
                new Begun(2, 1, "a", 10),
                new Begun(1, 1, "b", 39_000_020),
                new Begun(2, 2, "b", 40_000_020)),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(new Injected(Injected.KILL, "a", 20, 9_000_000)),
            List.of());
    assertThat(Takeover.longest(story)).isEqualTo(seconds * 1_000_000L);
    assertThat(Checker.check(story))
        .filteredOn(found -> found.invariant().equals("I5 takeover"))
        .hasSize(seconds > 25 ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({"database restarted, 38, 0", "database restarted, 47, 1", "slow network, 38, 1"})
  void takeover_may_take_longer_after_an_outage_that_the_servers_shared(
      String fault, int seconds, int violations) {
    long death = 20_000_000;
    Story story =
        new Story(
            List.of(new Asked(spec(1, Work.LEASED, 4, "q"), Answer.OK, 1, 2)),
            List.of(new Begun(1, 1, "a", 10), new Begun(1, 2, "b", death + seconds * 1_000_000L)),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(
                new Injected(fault, null, death - 7_000_000, death - 3_000_000),
                new Injected(Injected.KILL, "a", death, death + 9_000_000)),
            List.of());
    assertThat(Checker.check(story))
        .filteredOn(found -> found.invariant().equals("I5 takeover"))
        .hasSize(violations);
  }

  private static Spec spec(int n, Work work, int priority, String queue) {
    return new Spec(n, n, queue, work, priority, null, null, 0, List.of(), null, false, 3);
  }

  private static void takeOverLate(SampleStory s) {
    Injected death = s.faults.stream().filter(f -> !poison(s, f)).findFirst().orElseThrow();
    s.faults.removeIf(f -> f != death);
    s.faults.replaceAll(
        f -> new Injected(f.kind(), f.server(), f.begun() - 30_000_000, f.begun() - 20_000_000));
    s.begun.replaceAll(
        b ->
            b.server().equals(death.server())
                ? new Begun(b.n(), b.attempt(), b.server(), b.at() - 30_000_000)
                : b);
  }

  @Test
  void violation_lists_all_events_of_its_job() {
    SampleStory sample = new SampleStory(1);
    EndedJob lost = sample.row(WELL);
    sample.ended.remove(lost);
    assertThat(Checker.check(sample.story()))
        .filteredOn(found -> found.invariant().equals("I1 lost or duplicated"))
        .singleElement()
        .asString()
        .contains("job " + lost.n() + " OK, yet ended 0 times")
        .contains("requested", "answered " + lost.n() + ": OK", "Begun[", "Over[");
  }

  private static Arguments bug(String invariant, Consumer<SampleStory> bug) {
    return Arguments.of(invariant, bug);
  }

  private static String key(SampleStory s, EndedJob row) {
    return s.spec(row.n()).uniqueKey();
  }

  private static Asked answered(Asked asked, Answer answer) {
    return new Asked(asked.spec(), answer, asked.begun(), asked.answered());
  }

  private static EndedJob transactional(SampleStory s, Predicate<EndedJob> which) {
    return s.row(row -> s.spec(row.n()).transactional() && which.test(row));
  }

  private static Effect effect(SampleStory s, boolean transactional) {
    EndedJob row =
        s.row(r -> s.spec(r.n()).transactional() == transactional && r.well() && r.attempt() == 1);
    return s.effects.stream().filter(e -> e.n() == row.n()).findFirst().orElseThrow();
  }

  private static void change(
      SampleStory s, Predicate<EndedJob> which, UnaryOperator<EndedJob> change) {
    EndedJob row = s.row(which);
    s.ended.set(s.ended.indexOf(row), change.apply(row));
  }

  private static EndedJob attempts(EndedJob row, int attempt, String state) {
    return new EndedJob(
        row.n(), state, attempt, row.uncounted(), row.crashes(), row.enqueued(), row.ended());
  }

  /** Makes the last selected job begin before all jobs that it has to wait for. */
  private static void early(SampleStory s, Predicate<Spec> which) {
    Begun last = s.begun.get(0);
    for (Begun one : s.begun) {
      if (which.test(s.spec(one.n()))) {
        last = one;
      }
    }
    s.begun.set(s.begun.indexOf(last), new Begun(last.n(), last.attempt(), last.server(), 0));
  }

  private static boolean poison(SampleStory s, Injected fault) {
    return s.begun.stream()
        .anyMatch(b -> b.server().equals(fault.server()) && s.spec(b.n()).poison());
  }
}
