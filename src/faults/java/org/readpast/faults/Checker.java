package org.readpast.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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

/** Finds violations of the invariants in a story. Each rule is one of the documented invariants. */
public final class Checker {
  /** Limits the time within which another server must continue the jobs of a dead server. */
  static final long TAKEOVER = 25_000_000;

  /** Limits the same time if the servers shared an outage shortly before the death. */
  private static final long TAKEOVER_AFTER_OUTAGE = 45_000_000;

  private static final long TOLERANCE = 2_000;
  // The time after which a server that was cut off has learned what has happened to its jobs.
  private static final long HEARD = 5_000_000;

  private final Story story;
  private final Map<Integer, Asked> asked;
  private final Map<Integer, List<EndedJob>> ended;
  private final Map<Integer, List<Begun>> begun;
  private final Map<Integer, List<Over>> over;
  private final Map<Integer, List<Effect>> effects;
  private final List<Violation> found = new ArrayList<>();

  private Checker(Story story) {
    this.story = story;
    this.asked =
        story.asked().stream()
            .collect(Collectors.toMap(Asked::n, Function.identity(), (a, b) -> a));
    this.ended = byJob(story.ended(), EndedJob::n);
    this.begun = byJob(story.begun(), Begun::n);
    this.over = byJob(story.over(), Over::n);
    this.effects = byJob(story.effects(), Effect::n);
  }

  private static <T> Map<Integer, List<T>> byJob(List<T> all, Function<T, Integer> n) {
    return all.stream().collect(Collectors.groupingBy(n));
  }

  /** Returns all violations, the earliest first. */
  public static List<Violation> check(Story story) {
    Checker checker = new Checker(story);
    checker.everyJobEndsOnce();
    checker.effects();
    checker.attempts();
    checker.owners();
    checker.order();
    checker.takeover();
    checker.uniqueKeys();
    checker.schedule();
    checker.found.sort(Comparator.comparingLong(Violation::at));
    return checker.found;
  }

  private void everyJobEndsOnce() {
    for (Asked one : story.asked()) {
      int rows = ended.getOrDefault(one.n(), List.of()).size();
      boolean wrong =
          switch (one.answer()) {
            case OK -> rows != 1;
            case UNKNOWN -> rows > 1;
            case MERGED, REFUSED -> rows != 0;
          };
      if (wrong) {
        report(
            "I1 lost or duplicated",
            one.begun(),
            one.n(),
            one.answer() + ", yet ended " + rows + " times");
      }
    }
    for (EndedJob row : story.ended()) {
      if (!asked.containsKey(row.n())) {
        report("I1 from nowhere", row.ended(), row.n(), "no producer requested it");
      }
    }
    for (String left : story.live()) {
      found.add(new Violation("I1 stuck", Long.MAX_VALUE, left, List.of()));
    }
  }

  private void effects() {
    for (EndedJob row : story.ended()) {
      Spec spec = spec(row.n());
      List<Effect> rows = effects.getOrDefault(row.n(), List.of());
      if (spec == null) {
        continue;
      }
      if (spec.transactional()) {
        if (rows.size() != (row.well() ? 1 : 0)) {
          String what = row.state() + " with " + rows.size() + " effects";
          report("I2 effects", row.ended(), row.n(), what);
        } else if (row.well() && rows.get(0).attempt() != row.attempt()) {
          report(
              "I2 effects",
              row.ended(),
              row.n(),
              "the effect is of attempt " + rows.get(0).attempt());
        }
      } else if (spec.work() != Work.QUICK && row.well() && rows.isEmpty()) {
        report("I3 at least once", row.ended(), row.n(), "completed without an effect");
      }
    }
    effects.forEach(
        (n, rows) -> {
          if (!ended.containsKey(n)) {
            report("I2 effects", 0, n, rows.size() + " effects of a job that never ended");
          }
        });
  }

  private void attempts() {
    for (EndedJob row : story.ended()) {
      Spec spec = spec(row.n());
      List<Begun> begins = begun.getOrDefault(row.n(), List.of());
      if (spec == null) {
        continue;
      }
      int deliveries = begins.size();
      if (row.counted() > deliveries + row.crashes()) {
        report(
            "attempts",
            row.ended(),
            row.n(),
            "%d were counted, %d have begun, %d crashed"
                .formatted(row.counted(), deliveries, row.crashes()));
      }
      if (row.state().equals("DISCARDED") && row.counted() < spec.maxAttempts()) {
        report(
            "attempts",
            row.ended(),
            row.n(),
            "discarded after " + row.counted() + " of " + spec.maxAttempts() + " attempts");
      }
      if (spec.poison() && row.well()) {
        report("I7 poison", row.ended(), row.n(), "a poison job completed");
      }
    }
  }

  private void owners() {
    for (EndedJob row : story.ended()) {
      List<Over> overs = over.getOrDefault(row.n(), List.of());
      if (row.well()
          && overs.stream()
              .noneMatch(
                  o ->
                      o.attempt() == row.attempt()
                          && o.well()
                          && o.at() <= row.ended() + TOLERANCE)) {
        report(
            "I3 stale owner",
            row.ended(),
            row.n(),
            "completed as attempt " + row.attempt() + " before that attempt had ended");
      }
    }
    begun.forEach(
        (n, all) -> {
          List<Begun> begins = all.stream().sorted(Comparator.comparingLong(Begun::at)).toList();
          for (int i = 1; i < begins.size(); i++) {
            Begun one = begins.get(i - 1);
            Begun next = begins.get(i);
            // A server that was frozen or cut off may start a job late, after it has lost the job.
            boolean late = disturbed(next.server(), asked(n), next.at());
            if (next.attempt() < one.attempt() && !late) {
              String what = "attempt " + next.attempt() + " after " + one.attempt();
              report("I3 fence", next.at(), n, what);
            }
            // A receive that was rolled back does not count, and its attempt number is used again.
            // An attempt number is also used again if the server died before a heartbeat had
            // recorded which of its leased jobs had begun.
            boolean unknown = transactional(n) || disturbed(one.server(), one.at(), next.at());
            if (next.attempt() == one.attempt() && !unknown) {
              report("I3 fence", next.at(), n, "the attempt began twice");
            }
            if (!late && !disturbed(one.server(), asked(n), next.at())) {
              again(one, next);
            }
          }
        });
  }

  /**
   * Checks a job that began again although no fault occurred. Only a job that has failed may begin
   * again.
   */
  private void again(Begun one, Begun next) {
    List<Over> overs =
        over.getOrDefault(one.n(), List.of()).stream()
            .filter(o -> o.attempt() == one.attempt() && o.at() <= next.at() + TOLERANCE)
            .toList();
    if (overs.isEmpty()) {
      report("I3 two owners", next.at(), one.n(), "begun again while " + one.server() + " runs it");
    } else if (overs.stream().allMatch(Over::well)) {
      report("I3 run twice", next.at(), one.n(), "begun again after it succeeded");
    }
  }

  /**
   * Returns true if a fault hit the server, even one that ended shortly before, because a server
   * that was frozen learns only later that it was declared dead.
   */
  private boolean disturbed(String server, long from, long to) {
    return story.faults().stream()
        .filter(fault -> !fault.kind().equals(Injected.HORIZON))
        .anyMatch(fault -> fault.hits(server) && fault.within(from - HEARD, to));
  }

  private void order() {
    Map<String, List<Asked>> groups = new TreeMap<>();
    Map<String, List<Asked>> batches = new TreeMap<>();
    for (Asked one : story.asked()) {
      if (one.spec().group() != null) {
        groups.computeIfAbsent(one.spec().group(), g -> new ArrayList<>()).add(one);
      }
      if (one.spec().batch() != null) {
        batches.computeIfAbsent(one.spec().batch(), b -> new ArrayList<>()).add(one);
      }
      follows(one);
    }
    for (List<Asked> group : groups.values()) {
      for (Asked first : group) {
        for (Asked second : group) {
          if (comesBefore(first, second)) {
            notBefore("I4 group", first, second);
          }
        }
      }
    }
    for (List<Asked> batch : batches.values()) {
      for (Asked lower : batch) {
        for (Asked higher : batch) {
          boolean known =
              lower.spec().request() == higher.spec().request() || heardOf(lower, higher);
          if (known && lower.spec().wave() < higher.spec().wave()) {
            notBefore("I4 wave", lower, higher);
          }
        }
      }
    }
  }

  private static boolean comesBefore(Asked first, Asked second) {
    return first.spec().request() == second.spec().request()
        ? first.n() < second.n()
        : heardOf(first, second);
  }

  /** Returns true if the first job was acknowledged before the second one was requested. */
  private static boolean heardOf(Asked first, Asked second) {
    return first.answer() == Answer.OK && first.answered() < second.begun();
  }

  private void follows(Asked follower) {
    boolean allWell = true;
    for (int n : follower.spec().after()) {
      Asked before = asked.get(n);
      if (before != null) {
        notBefore("I4 predecessor", before, follower);
      }
      allWell &= ended.getOrDefault(n, List.of()).stream().allMatch(EndedJob::well);
    }
    for (EndedJob row : ended.getOrDefault(follower.n(), List.of())) {
      if (row.state().equals("CANCELLED") == allWell) {
        int[] before = follower.spec().after().stream().mapToInt(n -> n).toArray();
        report(
            "I4 predecessor",
            row.ended(),
            follower.n(),
            row.state() + " although its predecessors have " + (allWell ? "not failed" : "failed"),
            before);
      }
    }
  }

  private void notBefore(String invariant, Asked first, Asked second) {
    List<EndedJob> rows = ended.getOrDefault(first.n(), List.of());
    boolean never = rows.isEmpty() && first.answer() == Answer.OK;
    for (Begun begin : begun.getOrDefault(second.n(), List.of())) {
      if (never || rows.stream().anyMatch(row -> begin.at() < row.ended() - TOLERANCE)) {
        String text = "begun before " + first.n() + " had ended";
        report(invariant, begin.at(), second.n(), text, first.n());
      }
    }
  }

  private void takeover() {
    for (Takeover one : Takeover.all(story)) {
      Spec spec = spec(one.lost().n());
      long limit = one.afterOutage() ? TAKEOVER_AFTER_OUTAGE : TAKEOVER;
      if (one.took() > limit && one.alone() && spec != null && !spec.poison()) {
        report(
            "I5 takeover",
            one.next(),
            one.lost().n(),
            "taken over after " + one.took() / 1_000_000 + " s from " + one.lost().server());
      }
    }
  }

  private void uniqueKeys() {
    Map<String, List<EndedJob>> keys = new HashMap<>();
    for (EndedJob row : story.ended()) {
      // The requested unique key is used, because the row may no longer have it.
      Spec spec = spec(row.n());
      if (spec != null && spec.uniqueKey() != null) {
        keys.computeIfAbsent(spec.uniqueKey(), k -> new ArrayList<>()).add(row);
      }
    }
    for (List<EndedJob> same : keys.values()) {
      same.sort(Comparator.comparingLong(EndedJob::enqueued));
      for (int i = 1; i < same.size(); i++) {
        EndedJob first = same.get(i - 1);
        EndedJob second = same.get(i);
        Asked request = asked.get(second.n());
        // The row may be older than the end of the other job, because an insert waits for the job
        // that has the key.
        if (request != null
            && request.answer() == Answer.OK
            && request.answered() < first.ended() - TOLERANCE) {
          report(
              "I6 unique key",
              second.enqueued(),
              second.n(),
              "enqueued while a job with its key was live",
              first.n());
        }
      }
    }
  }

  private void schedule() {
    for (Planned planned : story.planned()) {
      if (planned.jobs() != 1) {
        found.add(
            new Violation(
                "I6 schedule",
                planned.moment(),
                planned.jobs() + " jobs for the planned time " + planned.moment(),
                List.of()));
      }
    }
  }

  private long asked(int n) {
    Asked one = asked.get(n);
    return one == null ? 0 : one.begun();
  }

  private boolean transactional(int n) {
    Spec spec = spec(n);
    return spec != null && spec.transactional();
  }

  private @Nullable Spec spec(int n) {
    Asked one = asked.get(n);
    return one == null ? null : one.spec();
  }

  private void report(String invariant, long at, int n, String what, int... others) {
    List<String> told = new ArrayList<>(tell(n));
    for (int other : others) {
      told.addAll(tell(other));
    }
    found.add(new Violation(invariant, at, "job " + n + " " + what, told));
  }

  private List<String> tell(int n) {
    TreeMap<Long, List<String>> lines = new TreeMap<>();
    Asked one = asked.get(n);
    if (one != null) {
      line(lines, one.begun(), "requested " + one.spec());
      line(lines, one.answered(), "answered " + n + ": " + one.answer());
    }
    begun.getOrDefault(n, List.of()).forEach(b -> line(lines, b.at(), b.toString()));
    over.getOrDefault(n, List.of()).forEach(o -> line(lines, o.at(), o.toString()));
    ended.getOrDefault(n, List.of()).forEach(e -> line(lines, e.ended(), e.toString()));
    if (!lines.isEmpty()) {
      long from = lines.firstKey();
      long to = lines.lastKey();
      story.faults().stream()
          .filter(fault -> fault.within(from, to))
          .forEach(fault -> line(lines, fault.begun(), fault.toString()));
    }
    return lines.values().stream().flatMap(List::stream).toList();
  }

  private static void line(Map<Long, List<String>> lines, long at, String text) {
    lines.computeIfAbsent(at, a -> new ArrayList<>()).add(at + " " + text);
  }
}
