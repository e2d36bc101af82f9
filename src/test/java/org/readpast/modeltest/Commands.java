package org.readpast.modeltest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;
import org.readpast.admin.BatchControl.Event;
import org.readpast.admin.store.BatchAdmin.Action;
import org.readpast.api.BatchFailure;
import org.readpast.model.NewJob;
import org.readpast.modeltest.WorkSteps.How;
import org.readpast.modeltest.WorkSteps.Meanwhile;
import org.readpast.modeltest.World.HeldClaim;

/** Defines the commands in a sequence, and their weights. */
final class Commands {
  private static final int LONGEST = 25;
  // The number of a job or claim is an index into the jobs or claims that exist when the step runs.
  // A sequence therefore remains valid after a step was removed.
  private static final Arbitrary<Integer> WHICH = Arbitraries.integers().between(0, 11);
  private static final Arbitrary<Integer> NODES = Arbitraries.integers().between(0, 1);
  private static final Arbitrary<Boolean> FLAGS = Arbitraries.of(false, true);

  private Commands() {}

  /**
   * Represents a command with fixed parameters. The command may find nothing to do.
   *
   * @param simpler returns commands that do less of the same kind
   * @param earlier returns the same command for the previous job or claim
   */
  record Step(
      String name,
      Predicate<World> possible,
      Consumer<World> action,
      Supplier<List<Step>> simpler,
      Supplier<Step> earlier) {

    Step(String name, Predicate<World> possible, Consumer<World> action) {
      this(name, possible, action, List::of, null);
    }

    /**
     * Returns the same command for the previous job or claim, or this command if it refers to
     * neither.
     */
    Step before() {
      return earlier == null ? this : earlier.get();
    }

    void take(World world) {
      if (possible.test(world)) {
        action.accept(world);
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** Returns sequences of commands that begin with an empty database. */
  static Arbitrary<List<Step>> sequences() {
    return Combinators.combine(
            defining().list().ofMaxSize(2),
            Arbitraries.of(Focus.class).flatMap(Commands::steps),
            Arbitraries.of(false, true))
        .as(Commands::sequence);
  }

  /**
   * Returns a sequence in which definitions of batches come first, because other commands create
   * batches without a definition.
   *
   * @param eager true to run the resolver after each step
   */
  private static List<Step> sequence(List<Step> first, List<Step> steps, boolean eager) {
    Step resolve = resolve(0, false);
    return Stream.concat(first.stream(), steps.stream())
        .flatMap(step -> eager ? Stream.of(step, resolve) : Stream.of(step))
        .toList();
  }

  private static Arbitrary<List<Step>> steps(Focus focus) {
    return Arbitraries.frequencyOf(
            Tuple.of(10, enqueueing(focus, 1)),
            Tuple.of(5, enqueueing(focus, 4)),
            Tuple.of(focus == Focus.DEATHS ? 25 : 7, claiming()),
            Tuple.of(focus == Focus.DEATHS ? 4 : 1, losingClaims()),
            Tuple.of(focus == Focus.BATCHES ? 4 : 1, claimingFromWaves()),
            Tuple.of(7, working()),
            Tuple.of(9, ending()),
            Tuple.of(2, endingAll()),
            Tuple.of(focus == Focus.GROUPS ? 20 : 1, fillingGroups()),
            Tuple.of(focus == Focus.GROUPS ? 40 : 1, goingOn()),
            Tuple.of(focus == Focus.DEATHS ? 15 : 3, beginning()),
            Tuple.of(focus == Focus.DEATHS ? 8 : 2, beating()),
            Tuple.of(4, advancing()),
            Tuple.of(4, keepingHouse()),
            Tuple.of(focus == Focus.DEATHS ? 20 : 2, dying()),
            Tuple.of(focus == Focus.DEATHS ? 4 : 1, stopping()),
            Tuple.of(13, dependencies()),
            Tuple.of(3, cancelling()),
            Tuple.of(5, resetting()),
            Tuple.of(2, prioritizing()),
            Tuple.of(1, runningNow()),
            Tuple.of(2, rescheduling()),
            Tuple.of(2, deleting()),
            Tuple.of(1 + focus.requests() / 4, defining()),
            Tuple.of(focus.requests(), requests()),
            Tuple.of(focus == Focus.GROUPS ? 4 : 1, skippingGroups()),
            Tuple.of(focus == Focus.BATCHES ? 4 : 1, callingBack()),
            Tuple.of(1, pausing()))
        .list()
        .ofMinSize(1)
        .ofMaxSize(LONGEST)
        .withSizeDistribution(RandomDistribution.uniform());
  }

  /**
   * Returns one of the jobs of a kind by its number; occasionally, or if there is none of that
   * kind, one of all jobs.
   */
  private static ModelJob job(World world, int which, Predicate<ModelJob> kind) {
    List<ModelJob> all = List.copyOf(world.model.jobs.values());
    List<ModelJob> some = all.stream().filter(kind).toList();
    List<ModelJob> of = some.isEmpty() || which == 11 ? all : some;
    return of.get(which % of.size());
  }

  private static Arbitrary<Step> enqueueing(Focus focus, int most) {
    return Combinators.combine(NODES, JobSpec.any(focus).list().ofMinSize(1).ofMaxSize(most))
        .as(Commands::enqueue);
  }

  private static Arbitrary<Step> fillingGroups() {
    return Combinators.combine(NODES, JobSpec.inGroup().list().ofMinSize(2).ofMaxSize(5))
        .as(Commands::enqueue);
  }

  private static Step enqueue(int node, List<JobSpec> asked) {
    return new Step(
        "enqueue " + asked.size(),
        world -> true,
        world -> {
          List<NewJob> jobs = new ArrayList<>();
          for (JobSpec one : asked) {
            jobs.add(one.job(world, jobs.size(), asked.size()));
          }
          world.perform(
              "enqueue "
                  + jobs.stream()
                      .map(job -> JobSpec.describe(world, job))
                      .collect(Collectors.joining(" ")),
              () -> world.work.enqueue(node, jobs));
        },
        () -> simpler(asked).stream().map(less -> enqueue(node, less)).toList(),
        null);
  }

  private static List<List<JobSpec>> simpler(List<JobSpec> asked) {
    List<List<JobSpec>> all = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      if (asked.size() > 1) {
        List<JobSpec> without = new ArrayList<>(asked);
        without.remove(i);
        all.add(without);
      }
      for (JobSpec less : asked.get(i).simpler()) {
        List<JobSpec> with = new ArrayList<>(asked);
        with.set(i, less);
        all.add(with);
      }
    }
    return all;
  }

  private static Step step(String name, Consumer<World> action) {
    return new Step(name, world -> true, world -> world.perform(name, () -> action.accept(world)));
  }

  private static Arbitrary<Step> claiming() {
    return Combinators.combine(NODES, JobSpec.QUEUES, Arbitraries.integers().between(1, 3))
        .as(
            (node, queue, most) ->
                step(
                    "%s claims %d of %s".formatted(World.nameOf(node), most, queue),
                    world -> world.work.claim(node, queue, most)));
  }

  private static Arbitrary<Step> claimingFromWaves() {
    return Combinators.combine(NODES, FLAGS)
        .as(
            (node, fromTheEnd) ->
                step(
                    World.nameOf(node) + " claims jobs that wait for their wave",
                    world -> world.work.claimFromWaves(node, fromTheEnd)));
  }

  private static Arbitrary<Step> losingClaims() {
    return Combinators.combine(NODES, JobSpec.QUEUES, Arbitraries.integers().between(1, 3))
        .as(
            (node, queue, most) ->
                step(
                    "%s claims %d of %s, and gets no answer"
                        .formatted(World.nameOf(node), most, queue),
                    world -> world.work.claimUnanswered(node, queue, most)));
  }

  private static Arbitrary<Step> working() {
    return Combinators.combine(
            NODES,
            JobSpec.QUEUES,
            Arbitraries.of(How.class).filter(How::ofTransaction),
            Arbitraries.of(Meanwhile.class),
            FLAGS)
        .as(
            (node, queue, how, meanwhile, held) ->
                step(
                    "%s runs a job %s in a transaction, and it %s, meanwhile %s"
                        .formatted(
                            World.nameOf(node),
                            held ? "that it holds, or else of " + queue : "of " + queue,
                            how,
                            meanwhile),
                    world -> world.work.work(node, queue, how, meanwhile, held)));
  }

  private static Step ofHand(int which, String name, Consumer<HandIn> action) {
    return new Step(
        name,
        world -> !world.hands.isEmpty(),
        world -> {
          HeldClaim hand = world.hands.get(which % world.hands.size());
          world.perform(
              "%s: %s, claim %d, %s"
                  .formatted(World.nameOf(hand.node()), hand.job(), hand.claim().claimNo(), name),
              () -> action.accept(new HandIn(world, hand)));
        },
        List::of,
        which == 0 ? null : () -> ofHand(which - 1, name, action));
  }

  private record HandIn(World world, HeldClaim hand) {}

  private static Arbitrary<Step> ending() {
    return Combinators.combine(
            WHICH,
            Arbitraries.of(How.class).filter(How::ofLease),
            Arbitraries.frequency(Tuple.of(6, false), Tuple.of(1, true)))
        .as(
            (which, how, keep) ->
                ofHand(
                    which,
                    how + (keep ? ", and reports it again later" : ""),
                    in -> in.world.work.end(in.hand, how, keep)));
  }

  private static Arbitrary<Step> goingOn() {
    return Combinators.combine(NODES, Arbitraries.frequency(Tuple.of(5, true), Tuple.of(1, false)))
        .as(
            (node, all) ->
                step(
                    "%s completes %s, and continues in the groups"
                        .formatted(
                            World.nameOf(node),
                            all
                                ? "the jobs that it holds, or claims"
                                : "the first job of each claim"),
                    world -> world.work.workOn(node, all)));
  }

  private static Arbitrary<Step> beginning() {
    return Combinators.combine(WHICH, FLAGS)
        .as(
            (which, now) ->
                ofHand(
                    which,
                    now ? "starts, which is recorded" : "starts",
                    in -> in.world.work.begin(in.hand, now)));
  }

  private static Arbitrary<Step> endingAll() {
    return Combinators.combine(NODES, FLAGS)
        .as(
            (node, inTransaction) ->
                step(
                    World.nameOf(node)
                        + " completes all jobs that it holds"
                        + (inTransaction ? " in one transaction" : ""),
                    world -> world.work.endAll(node, inTransaction)));
  }

  private static Arbitrary<Step> beating() {
    return NODES.map(
        node -> step(World.nameOf(node) + " sends a heartbeat", world -> world.work.beat(node)));
  }

  private static Arbitrary<Step> advancing() {
    return JobSpec.SPANS.map(
        seconds -> step(seconds + " s pass", world -> world.advance(Duration.ofSeconds(seconds))));
  }

  private static Arbitrary<Step> keepingHouse() {
    return NODES.map(
        node -> step(World.nameOf(node) + " runs maintenance", world -> world.work.maintain(node)));
  }

  private static Arbitrary<Step> dying() {
    return NODES.map(
        node ->
            step(
                World.nameOf(node) + " falls silent, until the other node notices",
                world -> world.work.die(node)));
  }

  private static Arbitrary<Step> stopping() {
    return NODES.map(
        node ->
            step(World.nameOf(node) + " stops, and starts again", world -> world.work.stop(node)));
  }

  private static Arbitrary<Step> dependencies() {
    return Combinators.combine(NODES, FLAGS).as(Commands::resolve);
  }

  private static Step resolve(int node, boolean all) {
    return step(
        World.nameOf(node) + (all ? " resolves, with unreported ends" : " resolves"),
        world -> world.work.resolve(node, all));
  }

  private static Step ofJob(
      int which, String name, Predicate<ModelJob> kind, Consumer<JobIn> action) {
    return new Step(
        name,
        world -> !world.model.jobs.isEmpty(),
        world -> {
          ModelJob job = job(world, which, kind);
          world.perform(
              name + " " + job + ", which is " + (job.gone ? "deleted" : job.state),
              () -> action.accept(new JobIn(world, job)));
        },
        List::of,
        which == 0 ? null : () -> ofJob(which - 1, name, kind, action));
  }

  private record JobIn(World world, ModelJob job) {}

  private static Arbitrary<Step> cancelling() {
    return WHICH.map(
        which -> ofJob(which, "cancel", ModelJob::live, in -> in.world.operator.cancel(in.job)));
  }

  private static Arbitrary<Step> resetting() {
    return Combinators.combine(WHICH, FLAGS)
        .as(
            (which, force) ->
                ofJob(
                    which,
                    force ? "reset by force" : "reset",
                    job -> !job.gone && job.endedBadly(),
                    in -> in.world.operator.reset(in.job, force)));
  }

  private static Arbitrary<Step> prioritizing() {
    return Combinators.combine(WHICH, Arbitraries.of(4, 0, 7, 9))
        .as(
            (which, priority) ->
                ofJob(
                    which,
                    "set priority " + priority + " of",
                    ModelJob::waits,
                    in -> in.world.operator.prioritize(in.job, priority)));
  }

  private static Arbitrary<Step> runningNow() {
    return WHICH.map(
        which ->
            ofJob(
                which,
                "run now",
                job -> job.live() && job.state == org.readpast.api.JobState.SCHEDULED,
                in -> in.world.operator.runNow(in.job)));
  }

  private static Arbitrary<Step> rescheduling() {
    return Combinators.combine(WHICH, Arbitraries.of(-60, 0, 30, 300))
        .as(
            (which, seconds) ->
                ofJob(
                    which,
                    "reschedule in " + seconds + " s",
                    job ->
                        job.live()
                            && (job.state == org.readpast.api.JobState.SCHEDULED
                                || job.state == org.readpast.api.JobState.AVAILABLE),
                    in -> in.world.operator.reschedule(in.job, seconds)));
  }

  private static Arbitrary<Step> deleting() {
    return WHICH.map(
        which ->
            ofJob(
                which,
                "delete",
                job -> !job.gone && !job.live(),
                in -> in.world.operator.delete(in.job)));
  }

  private static Arbitrary<Step> defining() {
    return Combinators.combine(Arbitraries.of(JobSpec.BATCHES), Arbitraries.of(BatchFailure.class))
        .as(
            (batch, failure) ->
                step(
                    "define batch " + batch + " with " + failure,
                    world -> world.operator.define(batch, failure)));
  }

  private static Arbitrary<Step> requests() {
    return Combinators.combine(Arbitraries.of(JobSpec.BATCHES), Arbitraries.of(Action.class))
        .as(
            (batch, action) ->
                step(
                    "ask batch " + batch + " to " + action,
                    world -> world.operator.request(batch, action)));
  }

  private static Arbitrary<Step> skippingGroups() {
    return Arbitraries.of(JobSpec.GROUPS)
        .map(
            group ->
                step(
                    "skip the holders of group " + group + " of q",
                    world -> world.operator.skipGroup("q", group)));
  }

  private static Arbitrary<Step> callingBack() {
    NewJob job =
        new NewJob("q", "u", 4, null, null, null, null, null, null, null, null, "{\"called\":1}");
    return Combinators.combine(Arbitraries.of(JobSpec.BATCHES), Arbitraries.of(Event.class))
        .as(
            (batch, event) ->
                step(
                    "add a callback for " + event + " of batch " + batch,
                    world -> world.operator.callback(batch, event, job)));
  }

  private static Arbitrary<Step> pausing() {
    return Combinators.combine(JobSpec.QUEUES, FLAGS)
        .as(
            (queue, value) ->
                step(
                    (value ? "pause " : "resume ") + queue,
                    world -> world.operator.pause(queue, value)));
  }
}
