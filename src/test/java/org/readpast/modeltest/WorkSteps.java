package org.readpast.modeltest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.readpast.api.BatchSealedException;
import org.readpast.api.Enqueued;
import org.readpast.api.FailNowException;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.engine.StepNode;
import org.readpast.model.Failure;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.model.Outcome;
import org.readpast.model.Verdict;
import org.readpast.modeltest.ModelJob.Waits;
import org.readpast.modeltest.World.HeldClaim;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Nodes;

/** Performs the steps of applications and nodes, each in the database and in the model. */
final class WorkSteps {
  /** Identifies the way in which an attempt ends. */
  enum How {
    COMPLETES,
    FAILS,
    ASKS_FOR_LATER,
    ASKS_FOR_LATER_COUNTED,
    FAILS_NOW,
    /** The job was not started. */
    IS_GIVEN_BACK,
    /** The job cannot be started yet. */
    IS_POSTPONED,
    /** Another job of the shared transaction fails. */
    IS_UNDONE,
    /** The server or the connection fails before the commit, and the job stays leased. */
    BREAKS_OFF;

    /** Returns true if an attempt in a transaction can have the given outcome. */
    boolean ofTransaction() {
      return this != IS_GIVEN_BACK && this != IS_POSTPONED;
    }

    /** Returns true if an attempt without a transaction can have the given outcome. */
    boolean ofLease() {
      return this != IS_UNDONE && this != BREAKS_OFF;
    }
  }

  /** Lists the events that can occur while a transaction runs a job. */
  enum Meanwhile {
    NOTHING,
    AN_OPERATOR_CANCELS_IT,
    AN_OPERATOR_PRIORITIZES_IT,
    THE_OTHER_NODE_CLAIMS,
    THE_OTHER_NODE_TAKES_IT_OVER,
    IT_IS_LATE_WHEN_IT_COMMITS
  }

  private static final Duration LATER = Duration.ofSeconds(60);

  private final World world;
  private final Model model;

  WorkSteps(World world) {
    this.world = world;
    this.model = world.model;
  }

  /** Enqueues jobs in one call. */
  void enqueue(int node, List<NewJob> jobs) {
    if (inCircle(jobs)) {
      assertThatThrownBy(() -> world.on.nodes[node].enqueue(jobs))
          .isInstanceOf(JobRejectedException.class)
          .hasMessageContaining("cycle");
      world.came("refused");
      return;
    }
    // Batches are created even if the call fails.
    List<Model.ModelBatch> batches =
        jobs.stream()
            .map(job -> job.dependencies().batch())
            .filter(Objects::nonNull)
            .map(model::batch)
            .toList();
    boolean refused = batches.stream().anyMatch(batch -> batch.sealed);
    List<Enqueued> answers;
    try {
      answers = world.on.nodes[node].enqueue(jobs);
    } catch (BatchSealedException e) {
      assertThat(refused).as("the batch is sealed").isTrue();
      world.came("refused");
      return;
    }
    assertThat(refused).as("a job was added to a sealed batch").isFalse();
    List<String> came = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      NewJob job = jobs.get(i);
      ModelJob holder = model.holderOf(job.uniqueKey());
      Enqueued answer = answers.get(i);
      assertThat(answer.isNew()).as("job %d of the call is new", i + 1).isEqualTo(holder == null);
      if (holder != null) {
        assertThat(answer.id()).as("the holder of the key").isEqualTo(holder.id);
        came.add(holder + " holds the key");
      } else {
        List<Long> after = new ArrayList<>(job.dependencies().after());
        // A job can refer only to the previous job of the call.
        job.dependencies()
            .afterRefs()
            .forEach(ref -> after.add(answers.get(Integer.parseInt(ref)).id()));
        came.add(model.add(answer.id(), job, after).toString());
      }
    }
    world.came(String.join(", ", came));
  }

  /** Returns true if a job would wait for itself, through its references and lower waves. */
  private static boolean inCircle(List<NewJob> jobs) {
    int all = jobs.size();
    boolean[][] waits = new boolean[all][all];
    for (int i = 0; i < all; i++) {
      JobDependencies dependencies = jobs.get(i).dependencies();
      for (String ref : dependencies.afterRefs()) {
        waits[i][Integer.parseInt(ref)] = true;
      }
      for (int j = 0; j < all; j++) {
        JobDependencies other = jobs.get(j).dependencies();
        waits[i][j] |=
            dependencies.batch() != null
                && dependencies.batch().equals(other.batch())
                && other.wave() < dependencies.wave();
      }
    }
    for (int by = 0; by < all; by++) {
      for (int i = 0; i < all; i++) {
        for (int j = 0; j < all; j++) {
          waits[i][j] |= waits[i][by] && waits[by][j];
        }
      }
    }
    return IntStream.range(0, all).anyMatch(i -> waits[i][i]);
  }

  /** Returns true if the queue, or the type of its jobs, has a limit across all nodes. */
  private static boolean limited(String queue) {
    return queue.equals(World.LIMITED) || queue.equals(World.OF_LIMITED_TYPE);
  }

  /** Returns the number of jobs of a queue that can be leased now. */
  private int room(String queue, int most) {
    long left = limited(queue) ? StepNode.LIMIT - model.leased(queue) : most;
    return (int) Math.max(0, Math.min(most, left));
  }

  void claim(int node, String queue, int most) {
    List<ModelJob> open = model.claimable(queue);
    int room = room(queue, most);
    List<ClaimedJob> claims = world.on.nodes[node].lease(queue, most, queue.equals(World.LIMITED));
    claimed(node, claims, open, room);
    claims.forEach(claim -> hold(node, claim));
  }

  /**
   * Claims jobs for a node that dies or loses its connection, and so never receives the response.
   */
  void claimUnanswered(int node, String queue, int most) {
    if (!limited(queue)) {
      List<ModelJob> open = model.claimable(queue);
      claimed(node, world.on.nodes[node].leaseUnanswered(queue, most), open, most);
    }
  }

  private void claimed(int node, List<ClaimedJob> claims, List<ModelJob> open, int room) {
    List<ModelJob> jobs = new ArrayList<>();
    for (ClaimedJob claim : claims) {
      jobs.add(checkClaim(claim, open));
    }
    world.came(jobs.toString());
    assertThat(jobs).as("at most the free slots").hasSizeLessThanOrEqualTo(room);
    checkSpan(jobs);
    if (jobs.size() < room) {
      checkBound(jobs, open);
    }
    for (int i = 0; i < claims.size(); i++) {
      model.claimed(jobs.get(i), world.on.nodes[node].no(), i == 0);
      assertThat(claims.get(i).claimNo())
          .as("the fence of %s", jobs.get(i))
          .isEqualTo(jobs.get(i).fence);
    }
  }

  /**
   * Returns true if the job is expected to take as long as all jobs of one claim may take together.
   */
  private static boolean slow(ModelJob job) {
    return !job.type.equals(World.FAST);
  }

  /** Checks that a job that takes a long time is leased alone. */
  private static void checkSpan(List<ModelJob> jobs) {
    if (jobs.size() > 1) {
      assertThat(jobs).as("leased together").noneMatch(WorkSteps::slow);
    }
  }

  /** Checks that the claim left out jobs only because they exceed its limits. */
  private static void checkBound(List<ModelJob> jobs, List<ModelJob> left) {
    if (jobs.isEmpty() || !slow(jobs.get(0))) {
      int first = left.stream().mapToInt(job -> job.priority).max().orElse(-1);
      boolean slowNext = left.stream().anyMatch(job -> job.priority == first && slow(job));
      assertThat(left.isEmpty() || (slowNext && !jobs.isEmpty()))
          .as("leased %s, and left %s", jobs, left)
          .isTrue();
    }
  }

  /**
   * Checks that no job is claimed from a wave: the resolver releases all jobs that may run, so jobs
   * that still wait for their wave cannot be claimed.
   */
  void claimFromWaves(int node, boolean fromTheEnd) {
    for (ModelJob job : model.jobs(job -> job.waits(Waits.WAVE))) {
      assertThat(world.on.nodes[node].leaseFromWave(job.id, fromTheEnd))
          .as("claimed from the wave of %s", job)
          .isEmpty();
    }
  }

  private void hold(int node, ClaimedJob claim) {
    world.hands.add(new HeldClaim(node, claim, model.jobs.get(claim.id())));
  }

  /**
   * Checks that the claimed job is the next one that can be claimed, and removes it from the list.
   */
  private ModelJob checkClaim(ClaimedJob claim, List<ModelJob> open) {
    ModelJob job = model.jobs.get(claim.id());
    if (!open.contains(job)) {
      fail("claimed %s, which is %s; claimable: %s".formatted(job, job.state, open));
    }
    for (ModelJob other : open) {
      boolean lane = other.type.equals(job.type) && other.priority == job.priority;
      if (other.priority > job.priority || (lane && other.place < job.place)) {
        fail("claimed %s before %s".formatted(job, other));
      }
    }
    open.remove(job);
    checkKnown(claim, job);
    return job;
  }

  /** Checks what the node learns about a job that it has just leased. */
  private void checkKnown(ClaimedJob claim, ModelJob job) {
    assertThat(claim.attempt()).as("attempt of %s", job).isEqualTo(job.attempt + 1);
    assertThat(claim.uncounted()).as("uncounted starts of %s", job).isEqualTo(job.uncounted);
    assertThat(claim.crashes()).as("deaths charged to %s", job).isEqualTo(job.crashes);
    assertThat(claim.claimNo()).as("fence of %s", job).isEqualTo(job.fence + 1);
    assertThat(claim.expired()).as("%s has expired", job).isEqualTo(job.expired(model.now));
  }

  private boolean owns(HeldClaim hand) {
    return model.owns(hand.job(), hand.claim().claimNo());
  }

  /**
   * Runs a job in one transaction.
   *
   * @param held true to run a job that the node holds, if there is one; otherwise, the node claims
   *     a job
   */
  void work(int node, String queue, How how, Meanwhile meanwhile, boolean held) {
    HeldClaim hand = held ? heldBy(node) : null;
    if (hand == null) {
      int before = world.hands.size();
      claim(node, queue, 1);
      hand = world.hands.size() == before ? null : world.hands.get(before);
    } else {
      world.came(hand.job().toString());
    }
    if (hand != null && mayStart(hand)) {
      work(hand, how, meanwhile);
    }
  }

  private HeldClaim heldBy(int node) {
    return world.hands.stream().filter(hand -> hand.node() == node).findFirst().orElse(null);
  }

  /**
   * Records the start if the next heartbeat would be too late. Returns false if another node owns
   * the job now.
   */
  private boolean mayStart(HeldClaim hand) {
    ModelJob job = hand.job();
    if (model.attemptsAllowed(job) == 1 || hand.claim().leasedAtDeath()) {
      begin(hand, true);
      if (!owns(hand)) {
        leave(hand);
        world.came("stale");
        return false;
      }
    }
    return true;
  }

  private void work(HeldClaim hand, How how, Meanwhile meanwhile) {
    StepNode on = world.on.nodes[hand.node()];
    ClaimedJob claim = hand.claim();
    ModelJob job = hand.job();
    boolean ends = claim.expired() || how == How.COMPLETES || how == How.BREAKS_OFF;
    boolean[] owned = new boolean[1];
    Outcome[] outcome = new Outcome[1];
    boolean committed =
        on.inTransaction(
            () -> {
              meanwhile(hand, meanwhile);
              owned[0] = owns(hand);
              if (!ends) {
                outcome[0] = how == How.IS_UNDONE ? null : judge(on, claim, job, how);
                return false;
              }
              assertThat(on.endInTransaction(List.of(claim)).isEmpty())
                  .as("the node still owns %s", job)
                  .isEqualTo(owned[0]);
              if (owned[0] && meanwhile == Meanwhile.IT_IS_LATE_WHEN_IT_COMMITS) {
                job.locked = true;
                beLate(hand.node());
                job.locked = false;
              }
              return owned[0] && how != How.BREAKS_OFF;
            });
    assertThat(committed).as("committed").isEqualTo(ends && owned[0] && how != How.BREAKS_OFF);
    if (committed) {
      on.committed(List.of(claim));
      model.end(job, claim.expired() ? JobState.EXPIRED : JobState.COMPLETED);
    } else if (how == How.IS_UNDONE && !ends) {
      assertThat(on.undo(claim)).as("rolled back").isEqualTo(owned[0]);
      if (owned[0]) {
        model.undo(job);
      }
    } else if (outcome[0] != null) {
      on.record(claim, outcome[0]);
      if (owned[0]) {
        model.judged(job, outcome[0]);
      }
    } else if (owned[0]) {
      world.came("rolled back");
      return;
    } else {
      // The node no longer holds the job.
      on.giveBack(List.of(claim));
    }
    world.hands.remove(hand);
    giveBackBehind(claim);
    world.came(owned[0] ? job.state.name() : "stale");
  }

  /** Forgets a claim that no longer owns its job. */
  private void leave(HeldClaim hand) {
    world.hands.remove(hand);
    world.on.nodes[hand.node()].giveBack(List.of(hand.claim()));
    giveBackBehind(hand.claim());
  }

  private void meanwhile(HeldClaim hand, Meanwhile meanwhile) {
    ModelJob job = hand.job();
    switch (meanwhile) {
      case NOTHING, IT_IS_LATE_WHEN_IT_COMMITS -> {}
      case AN_OPERATOR_CANCELS_IT -> {
        if (owns(hand)) {
          boolean ended =
              world.on.transactions.requiresNewUnbounded(() -> world.on.jobs.cancel(job.id));
          assertThat(ended).as("cancelled while it is running").isFalse();
          model.requestCancellation(job);
        }
      }
      case AN_OPERATOR_PRIORITIZES_IT -> {
        if (owns(hand)) {
          int other = (job.priority + 1) % 10;
          OperatorSteps.refused(
              () ->
                  world.on.transactions.requiresNewUnbounded(
                      () -> {
                        world.on.jobs.changePriority(job.id, other);
                        return true;
                      }));
        }
      }
      case THE_OTHER_NODE_CLAIMS -> claim(1 - hand.node(), job.queue, 1);
      case THE_OTHER_NODE_TAKES_IT_OVER -> beLate(hand.node());
    }
  }

  /**
   * Advances the clock until the jobs of a node that sends heartbeats are overdue, and the other
   * node notices this.
   */
  private void beLate(int node) {
    for (int i = 0; i < 10; i++) {
      if (!model.dead(world.on.nodes[node].no())) {
        beat(node);
      }
      world.advance(Duration.ofSeconds(10));
    }
    maintain(1 - node);
  }

  /** Determines the outcome of an attempt, and compares it with the model. */
  private Outcome judge(StepNode on, ClaimedJob claim, ModelJob job, How how) {
    Verdict verdict = on.verdict(claim);
    boolean cancellationRequested = !on.cancellations(List.of(claim.id())).isEmpty();
    boolean last = model.lastAttempt(job, claim.attempt());
    Outcome outcome;
    boolean ends;
    switch (how) {
      case FAILS -> {
        Failure failure = Failure.of(Failure.Kind.FAILED, "failed");
        outcome =
            cancellationRequested
                ? new Outcome.Cancelled(failure)
                : verdict.threw(new IllegalStateException("failed"), failure);
        ends = cancellationRequested || last;
      }
      case FAILS_NOW -> {
        outcome =
            verdict.threw(
                new FailNowException("never"), Failure.of(Failure.Kind.FAILED, "failed for good"));
        ends = true;
      }
      case ASKS_FOR_LATER -> {
        outcome = verdict.returned(JobResult.retryLater(LATER), null);
        ends = false;
      }
      case ASKS_FOR_LATER_COUNTED -> {
        outcome = verdict.returned(JobResult.retryLaterCounted(LATER), null);
        ends = last;
      }
      default -> throw new IllegalArgumentException(how.name());
    }
    // The outcome of a claim that no longer owns its job is ignored.
    if (model.owns(job, claim.claimNo())) {
      assertThat(!(outcome instanceof Outcome.Retry))
          .as("%s ends with this attempt", job)
          .isEqualTo(ends);
    }
    return outcome;
  }

  /**
   * Makes the handler of a leased job return. If {@code keep} is true, its thread reports the end
   * twice.
   */
  void end(HeldClaim hand, How how, boolean keep) {
    StepNode on = world.on.nodes[hand.node()];
    ModelJob job = hand.job();
    ClaimedJob claim = hand.claim();
    boolean owned = owns(hand);
    assertThat(on.owns(claim)).as("the node still owns %s", job).isEqualTo(owned);
    if (!keep) {
      world.hands.remove(hand);
    }
    if (how == How.IS_GIVEN_BACK) {
      assertThat(on.giveBack(List.of(claim)).contains(job.id)).as("released").isEqualTo(owned);
      if (owned) {
        model.giveBack(job);
      }
    } else if (how == How.IS_POSTPONED) {
      assertThat(on.postpone(claim)).as("postponed").isEqualTo(owned);
      if (owned) {
        model.postpone(job);
      }
    } else if (how == How.COMPLETES || claim.expired()) {
      on.acknowledge(List.of(claim));
      if (owned) {
        model.end(job, claim.expired() ? JobState.EXPIRED : JobState.COMPLETED);
      }
    } else {
      Outcome outcome = judge(on, claim, job, how);
      on.record(claim, outcome);
      if (owned) {
        model.judged(job, outcome);
      }
    }
    giveBackBehind(claim);
    world.came(owned ? job.state.name() : "stale");
  }

  /** Returns the jobs with which a group can continue after the end of one of its jobs. */
  private record Successors(HeldClaim after, List<ModelJob> jobs) {}

  /**
   * Makes a node run the jobs that it holds, claim by claim, and continue with the next jobs of
   * their groups.
   *
   * @param all false to run only the first job of each claim, while the node still holds the others
   */
  void workOn(int node, boolean all) {
    if (heldBy(node) == null) {
      claim(node, "q", 3);
    }
    world.hands.stream()
        .filter(hand -> hand.node() == node)
        .collect(
            Collectors.groupingBy(hand -> hand.claim().lease(), TreeMap::new, Collectors.toList()))
        .values()
        .forEach(claim -> workOn(node, claim, all ? claim.size() : 1));
  }

  private void workOn(int node, List<HeldClaim> claim, int most) {
    if (limited(claim.get(0).claim().queue())) {
      claim.forEach(hand -> end(hand, How.COMPLETES, false));
      return;
    }
    List<HeldClaim> worked = claim.subList(0, most);
    List<HeldClaim> left = claim.subList(most, claim.size());
    boolean resolved = !model.order.unseen();
    List<HeldClaim> owned = worked.stream().filter(this::owns).toList();
    List<HeldClaim> succeeded = owned.stream().filter(hand -> !hand.claim().expired()).toList();
    boolean followed = worked.stream().anyMatch(WorkSteps::followed);
    List<Successors> successors =
        followed || !left.isEmpty()
            ? List.of()
            : succeeded.stream()
                .map(hand -> new Successors(hand, model.order.nextAfter(hand.job())))
                .filter(next -> !next.jobs().isEmpty())
                .toList();
    world.hands.removeAll(worked);
    List<ClaimedJob> next =
        world.on.nodes[node].continueAfter(
            worked.stream().map(HeldClaim::claim).toList(),
            left.stream().map(HeldClaim::claim).toList());
    owned.forEach(
        hand ->
            model.end(hand.job(), hand.claim().expired() ? JobState.EXPIRED : JobState.COMPLETED));
    world.came(
        owned.stream().map(HeldClaim::job).toList() + ", and continues with " + called(next));
    if (followed) {
      assertThat(next)
          .as("the jobs behind those that succeeded")
          .isEqualTo(
              succeeded.stream()
                  .filter(WorkSteps::followed)
                  .map(hand -> ClaimedJob.inOrder(hand.claim().nextInGroup()))
                  .toList());
    } else {
      checkNext(node, next, successors, resolved);
    }
    worked.stream()
        .filter(hand -> !succeeded.contains(hand))
        .forEach(hand -> giveBackBehind(hand.claim()));
    next.forEach(job -> hold(node, job));
  }

  private static boolean followed(HeldClaim hand) {
    return !hand.claim().expired() && !hand.claim().nextInGroup().isEmpty();
  }

  private List<String> called(List<ClaimedJob> claims) {
    return claims.stream()
        .map(claim -> claim.all().map(one -> model.jobs.get(one.id())).toList().toString())
        .toList();
  }

  private void checkNext(
      int node, List<ClaimedJob> next, List<Successors> successors, boolean resolved) {
    Map<String, List<ClaimedJob>> ofGroup =
        next.stream().collect(Collectors.groupingBy(run -> model.jobs.get(run.id()).line()));
    for (Successors expected : successors) {
      List<ClaimedJob> runs =
          ofGroup.getOrDefault(expected.after().job().line(), List.<ClaimedJob>of());
      ofGroup.remove(expected.after().job().line());
      assertThat(runs).as("next after %s", expected.after().job()).hasSizeLessThanOrEqualTo(1);
      List<ClaimedJob> all = runs.stream().flatMap(ClaimedJob::all).toList();
      checkRun(all, expected.jobs(), resolved);
    }
    assertThat(ofGroup).as("leased out of turn").isEmpty();
    for (ClaimedJob run : next) {
      run.all()
          .forEach(
              one -> {
                ModelJob job = model.jobs.get(one.id());
                checkKnown(one, job);
                job.everFree = true;
                model.claimed(job, world.on.nodes[node].no(), one.id() == next.get(0).id());
              });
    }
  }

  private void checkRun(List<ClaimedJob> all, List<ModelJob> next, boolean resolved) {
    int sure = 0;
    while (resolved
        && sure < next.size()
        && next.get(sure).due + next.get(sure).dueWithin <= model.now) {
      sure++;
    }
    assertThat(all).as("the certainly due ones of %s", next).hasSizeGreaterThanOrEqualTo(sure);
    assertThat(next).as("the next jobs").hasSizeGreaterThanOrEqualTo(all.size());
    for (int i = 0; i < all.size(); i++) {
      ModelJob one = next.get(i);
      assertThat(all.get(i).id()).as("the order of %s", next).isEqualTo(one.id);
      assertThat(one.due - one.dueWithin).as("due time").isLessThanOrEqualTo(model.now);
    }
  }

  /** Returns the jobs behind an unsuccessful job to their group, where they wait again. */
  private void giveBackBehind(ClaimedJob claim) {
    for (ClaimedJob one : claim.nextInGroup()) {
      ModelJob job = model.jobs.get(one.id());
      if (model.owns(job, one.claimNo())) {
        model.giveBack(job);
      }
    }
  }

  /** Makes a node complete all jobs that it holds, by one acknowledgement or in one transaction. */
  void endAll(int node, boolean inTransaction) {
    // If a job has two claims, only the later one is used: a node never ends both in one statement,
    // because each has its own lease.
    List<HeldClaim> all =
        world.hands.stream()
            .filter(hand -> hand.node() == node)
            .collect(
                Collectors.toMap(
                    hand -> hand.job().id,
                    hand -> hand,
                    BinaryOperator.maxBy(Comparator.comparingInt(hand -> hand.claim().claimNo())),
                    LinkedHashMap::new))
            .values()
            .stream()
            .toList();
    if (all.isEmpty()) {
      return;
    }
    StepNode on = world.on.nodes[node];
    List<ClaimedJob> claims = all.stream().map(HeldClaim::claim).toList();
    List<HeldClaim> owned = all.stream().filter(this::owns).toList();
    if (inTransaction) {
      List<Long> lost = new ArrayList<>();
      boolean committed =
          on.inTransaction(
              () -> {
                lost.addAll(on.endInTransaction(claims));
                return lost.isEmpty();
              });
      assertThat(lost)
          .as("no longer owned")
          .containsExactlyInAnyOrderElementsOf(
              all.stream().filter(hand -> !owns(hand)).map(hand -> hand.job().id).toList());
      if (!committed) {
        world.came("rolled back");
        return;
      }
      on.committed(claims);
    } else {
      on.acknowledge(claims);
    }
    world.hands.removeAll(all);
    owned.forEach(
        hand ->
            model.end(hand.job(), hand.claim().expired() ? JobState.EXPIRED : JobState.COMPLETED));
    claims.forEach(this::giveBackBehind);
    world.came(owned.stream().map(HeldClaim::job).toList().toString());
  }

  /** Starts the handler of a leased job. The database is notified now, or by the next heartbeat. */
  void begin(HeldClaim hand, boolean now) {
    StepNode on = world.on.nodes[hand.node()];
    ModelJob job = hand.job();
    boolean owned = owns(hand);
    on.start(hand.claim());
    if (now) {
      assertThat(on.recordStart(hand.claim())).as("the node still owns %s", job).isEqualTo(owned);
    }
    if (owned) {
      job.startedFence = job.fence;
      job.begun |= now;
    }
  }

  void beat(int node) {
    StepNode on = world.on.nodes[node];
    int no = on.no();
    Nodes.Beat beat = on.beat();
    assertThat(beat == null).as("declared dead").isEqualTo(model.dead(no));
    // The start of a job is recorded even if the node was declared dead, so that a started job does
    // not look like one that has not started.
    List<ModelJob> held = model.jobs(j -> j.live() && j.owner == no);
    held.forEach(job -> job.begun |= job.startedFence == job.fence);
    if (beat == null) {
      world.came("dead, and registered again");
      world.register(node);
      return;
    }
    model.beat(no);
    assertThat(beat.heldJobs().stream().map(l -> l.id() + " " + l.claimNo()).sorted().toList())
        .as("the jobs that it holds")
        .isEqualTo(held.stream().map(j -> j.id + " " + j.fence).sorted().toList());
    giveBackUnknown(on, beat, held);
  }

  /** Releases the jobs that the node has leased without receiving the response. */
  private void giveBackUnknown(StepNode on, Nodes.Beat beat, List<ModelJob> held) {
    on.releaseLost(
        beat.heldJobs().stream()
            .filter(lease -> lease.established() && !known(lease.id(), lease.claimNo()))
            .toList());
    for (ModelJob job : held) {
      if (model.established(job) && !known(job.id, job.fence)) {
        world.came(job + " is released");
        model.giveBack(job);
      }
    }
  }

  private boolean known(long job, int fence) {
    return world.hands.stream()
        .flatMap(hand -> hand.claim().all())
        .anyMatch(claim -> claim.id() == job && claim.claimNo() == fence);
  }

  void maintain(int node) {
    world.on.nodes[node].maintain();
    model.maintain(
        world.on.nodes[node].no(),
        job -> world.look().said.get("job " + job.id).contains(JobState.CANCELLED.name()));
  }

  /** Makes a node silent, so that the other node notices this. */
  void die(int node) {
    beat(1 - node);
    Model.ModelNode other = model.nodes.get(world.on.nodes[1 - node].no());
    Model.ModelNode silent = model.nodes.get(world.on.nodes[node].no());
    int beats = other.wasCutOffWith(silent) ? 10 : 4;
    for (int i = 0; i < beats; i++) {
      world.advance(Duration.ofSeconds(10));
      beat(1 - node);
    }
    maintain(1 - node);
  }

  /** Stops a node while handlers are still running, and starts it again. */
  void stop(int node) {
    int no = world.on.nodes[node].no();
    world.on.nodes[node].stop();
    if (!model.dead(no)) {
      model.nodes.get(no).state = Model.NodeLife.STOPPED;
    }
    world.register(node);
  }

  void resolve(int node, boolean all) {
    if (all) {
      world.on.nodes[node].resolveAll();
    } else {
      world.on.nodes[node].resolve();
    }
    model.order.resolve(all);
  }
}
