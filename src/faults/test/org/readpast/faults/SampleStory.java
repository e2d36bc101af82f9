package org.readpast.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
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

/** Generates a random story without violations that contains every kind of job. */
final class SampleStory {
  static final int JOBS = 120;

  private static final int MAX_ATTEMPTS = 3;

  private final Random random;
  final List<Asked> asked = new ArrayList<>();
  final List<Begun> begun = new ArrayList<>();
  final List<Over> over = new ArrayList<>();
  final List<EndedJob> ended = new ArrayList<>();
  final List<Effect> effects = new ArrayList<>();
  final List<Planned> planned = new ArrayList<>();
  final List<Injected> faults = new ArrayList<>();
  final List<String> live = new ArrayList<>();

  private final Map<Integer, Spec> specs = new HashMap<>();
  private long clock = 1_000_000;

  SampleStory(long seed) {
    random = new Random(seed);
    for (int n = 1; n <= JOBS; n++) {
      ask(n);
    }
    for (int second = 0; second < 20; second++) {
      planned.add(new Planned(second * 1_000_000L, 1));
    }
  }

  Story story() {
    return new Story(asked, begun, over, ended, List.of(), effects, planned, faults, live);
  }

  /** Returns the first job that matches. */
  EndedJob row(Predicate<EndedJob> which) {
    return ended.stream().filter(which).findFirst().orElseThrow();
  }

  Spec spec(int n) {
    return Objects.requireNonNull(specs.get(n));
  }

  private void ask(int n) {
    int kind = n % 10;
    String group = kind == 1 ? "g" + random.nextInt(3) : null;
    String batch = kind >= 2 && kind <= 4 ? "b" + n / 10 : null;
    String key = kind == 6 ? "k" + random.nextInt(2) : null;
    List<Integer> after = kind == 5 ? List.of(n - 1) : List.of();
    boolean poison = kind == 7 && n < 30;
    Spec spec =
        new Spec(
            n,
            batch == null ? n : n / 10 * 10,
            "q",
            n % 2 == 0 ? Work.TRANSACTIONAL : Work.LEASED,
            4,
            group,
            batch,
            kind,
            after,
            key,
            poison,
            MAX_ATTEMPTS);
    specs.put(n, spec);
    long begins = tick();
    Answer answer = kind == 9 ? Answer.UNKNOWN : kind == 8 && n > 60 ? Answer.REFUSED : Answer.OK;
    long answers = Math.max(tick(), lastOfKey(spec) + 2);
    asked.add(new Asked(spec, answer, begins, answers));
    if (answer == Answer.OK || (answer == Answer.UNKNOWN && n % 20 == 9)) {
      work(spec, answers - 1);
    }
  }

  /** Runs a job after the jobs that it has to wait for, and concurrently with all others. */
  private void work(Spec spec, long enqueued) {
    long from = enqueued + random.nextInt(50_000);
    boolean cancelled = false;
    for (EndedJob row : ended) {
      Spec other = spec(row.n());
      boolean before =
          spec.after().contains(row.n())
              || (spec.group() != null && spec.group().equals(other.group()))
              || (spec.batch() != null
                  && spec.batch().equals(other.batch())
                  && other.wave() < spec.wave())
              || (spec.uniqueKey() != null && spec.uniqueKey().equals(spec(row.n()).uniqueKey()));
      if (before) {
        from = Math.max(from, row.ended() + 1_000);
      }
      cancelled |= spec.after().contains(row.n()) && !row.well();
    }
    if (cancelled) {
      end(spec, "CANCELLED", 0, 0, enqueued, from);
      return;
    }
    boolean loses = spec.n() % 15 == 0;
    int failures = spec.n() % 11 == 0 ? 1 : spec.n() % 23 == 0 ? MAX_ATTEMPTS : 0;
    int crashes = 0;
    long at = from;
    for (int attempt = 1; ; attempt++) {
      boolean dies = spec.poison() || (loses && attempt == 1);
      String server = dies ? "mortal" + spec.n() + "-" + attempt : random.nextBoolean() ? "a" : "b";
      begun.add(new Begun(spec.n(), attempt, server, at));
      if (dies) {
        crashes++;
        at += 100_000;
        faults.add(new Injected("server killed", server, at, at + 5_000_000));
        at += 12_000_000;
      } else {
        at += 5_000 + random.nextInt(100_000);
        boolean well = attempt > failures + crashes;
        over.add(new Over(spec.n(), attempt, server, well, at));
        if (!spec.transactional() || well) {
          effects.add(new Effect(spec.n(), attempt));
        }
        at += 3_000;
        if (well) {
          end(spec, "COMPLETED", attempt, crashes, enqueued, at);
          return;
        }
      }
      if (attempt == MAX_ATTEMPTS) {
        end(spec, "DISCARDED", attempt, crashes, enqueued, at);
        return;
      }
      at += 50_000;
    }
  }

  private void end(Spec spec, String state, int attempt, int crashes, long enqueued, long at) {
    ended.add(new EndedJob(spec.n(), state, attempt, 0, crashes, enqueued, at));
  }

  private long lastOfKey(Spec spec) {
    return ended.stream()
        .filter(
            row -> spec.uniqueKey() != null && spec.uniqueKey().equals(spec(row.n()).uniqueKey()))
        .mapToLong(EndedJob::ended)
        .max()
        .orElse(0);
  }

  private long tick() {
    clock += 1_000 + random.nextInt(20_000);
    return clock;
  }
}
