package org.readpast.modeltest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
import org.readpast.model.NewJob;
import org.readpast.model.Outcome;
import org.readpast.model.Place;
import org.readpast.model.Verdict;
import org.readpast.modeltest.ModelJob.Waits;
import org.readpast.modeltest.World.Hand;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Nodes;

/** What applications and nodes do: in the database, and in the model. */
final class WorkSteps {
  /** How a handler ends. */
  enum How {
    COMPLETES,
    FAILS,
    ASKS_FOR_LATER,
    ASKS_FOR_LATER_COUNTED,
    FAILS_NOW,
    IS_GIVEN_BACK,
    /** Its server, or the connection, dies before the commit. */
    BREAKS_OFF
  }

  /** What others do while a transaction has a job in work. */
  enum Meanwhile {
    NOTHING,
    SOMEBODY_CANCELS_IT,
    SOMEBODY_PRIORITIZES_IT,
    THE_OTHER_CLAIMS
  }

  private static final Duration LATER = Duration.ofSeconds(60);

  private final World world;
  private final Model model;

  WorkSteps(World world) {
    this.world = world;
    this.model = world.model;
  }

  /** Enqueues jobs in one call; after: of each the ids of jobs that it comes after. */
  void enqueue(int node, List<NewJob> jobs) {
    if (inCircle(jobs)) {
      assertThatThrownBy(() -> world.on.nodes[node].enqueue(jobs))
          .isInstanceOf(JobRejectedException.class)
          .hasMessageContaining("circle");
      world.came("refused");
      return;
    }
    // Batches come to be whatever becomes of the call.
    List<Model.ModelBatch> batches =
        jobs.stream()
            .map(job -> job.place().batch())
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
        assertThat(answer.id()).as("the one that holds the key").isEqualTo(holder.id);
        came.add(holder + " holds the key");
      } else {
        List<Long> after = new ArrayList<>(job.place().after());
        // The only one that is named is the one before.
        job.place().afterRefs().forEach(ref -> after.add(answers.get(Integer.parseInt(ref)).id()));
        came.add(model.add(answer.id(), job, after).toString());
      }
    }
    world.came(String.join(", ", came));
  }

  /** Whether one waits for itself, by way of those named and of lower waves. */
  private static boolean inCircle(List<NewJob> jobs) {
    int all = jobs.size();
    boolean[][] waits = new boolean[all][all];
    for (int i = 0; i < all; i++) {
      Place place = jobs.get(i).place();
      for (String ref : place.afterRefs()) {
        waits[i][Integer.parseInt(ref)] = true;
      }
      for (int j = 0; j < all; j++) {
        Place other = jobs.get(j).place();
        waits[i][j] |=
            place.batch() != null
                && place.batch().equals(other.batch())
                && other.wave() < place.wave();
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

  private boolean limited(String queue) {
    return queue.equals(World.LIMITED);
  }

  /** Those that a node's claim may take. */
  private List<ModelJob> claimable(int node, String queue) {
    boolean none = limited(queue) && model.dead(world.on.nodes[node].no());
    return none ? new ArrayList<>() : model.claimable(queue);
  }

  void claim(int node, String queue, int most) {
    List<ModelJob> open = claimable(node, queue);
    int expected = Math.min(most, open.size());
    List<ClaimedJob> claims = world.on.nodes[node].lease(queue, most, limited(queue));
    List<ModelJob> jobs = new ArrayList<>();
    for (ClaimedJob claim : claims) {
      jobs.add(checkClaim(claim, open, 1));
    }
    world.came(jobs.toString());
    assertThat(claims).as("claimed").hasSize(expected);
    for (int i = 0; i < claims.size(); i++) {
      hold(node, claims.get(i), jobs.get(i), false);
    }
  }

  /** Whoever settles lets all go that may: what still waits for its wave is not to be claimed. */
  void claimFromWaves(int node, boolean fromTheEnd) {
    for (ModelJob job : model.jobs(job -> job.waits(Waits.WAVE))) {
      assertThat(world.on.nodes[node].leaseFromWave(job.id, fromTheEnd))
          .as("claimed from the wave of %s", job)
          .isEmpty();
    }
  }

  private void hold(int node, ClaimedJob claim, ModelJob job, boolean cautious) {
    model.claimed(job, world.on.nodes[node].no(), cautious);
    assertThat(claim.claimNo()).as("the fence of %s", job).isEqualTo(job.fence);
    hold(node, claim);
  }

  /** It must be the next that may be taken, and is none any more. */
  private ModelJob checkClaim(ClaimedJob claim, List<ModelJob> open, int fences) {
    ModelJob job = model.jobs.get(claim.id());
    if (!open.contains(job)) {
      fail("claimed %s, which is %s; may be taken: %s".formatted(job, job.state, open));
    }
    for (ModelJob other : open) {
      boolean lane = other.type.equals(job.type) && other.priority == job.priority;
      if (other.priority > job.priority || (lane && other.place < job.place)) {
        fail("claimed %s before %s".formatted(job, other));
      }
    }
    open.remove(job);
    assertThat(claim.attempt()).as("attempt of %s", job).isEqualTo(job.attempt + 1);
    assertThat(claim.claimNo()).as("fence of %s", job).isEqualTo(job.fence + fences);
    assertThat(claim.expired()).as("%s has expired", job).isEqualTo(job.expired(model.now));
    return job;
  }

  /** Takes a job and works it in one transaction. */
  void work(int node, String queue, How how, Meanwhile meanwhile, boolean cautious) {
    StepNode on = world.on.nodes[node];
    List<ModelJob> open = claimable(node, queue);
    boolean some = !open.isEmpty();
    ClaimedJob[] taken = new ClaimedJob[1];
    ClaimedJob[] leased = new ClaimedJob[1];
    Outcome[] outcome = new Outcome[1];
    on.take(
        queue,
        limited(queue),
        claim -> {
          taken[0] = claim;
          if (claim == null) {
            return true;
          }
          ModelJob job = checkClaim(claim, open, 0);
          world.came(job.toString());
          if (!claim.expired() && (cautious || claim.suspect())) {
            leased[0] = on.leaseTaken(claim, true);
            return true;
          }
          // As those that are in work are known by their rows' locks alone.
          job.state = JobState.RUNNING;
          meanwhile(node, queue, job, meanwhile, open);
          job.state = JobState.AVAILABLE;
          if (claim.expired()) {
            return on.end(claim, JobState.EXPIRED);
          }
          if (how == How.COMPLETES) {
            return on.end(claim, JobState.COMPLETED);
          }
          if (how != How.BREAKS_OFF && how != How.IS_GIVEN_BACK) {
            outcome[0] = judge(on, claim, job, how);
            on.announce(claim);
          }
          return false;
        });
    assertThat(taken[0] != null).as("some job was taken").isEqualTo(some);
    if (taken[0] == null) {
      world.came("nothing");
      return;
    }
    ModelJob job = model.jobs.get(taken[0].id());
    if (leased[0] != null) {
      hold(node, leased[0], job, true);
    } else if (taken[0].expired() || how == How.COMPLETES) {
      job.attempt++;
      model.end(job, taken[0].expired() ? JobState.EXPIRED : JobState.COMPLETED);
    } else if (outcome[0] != null) {
      on.record(taken[0], outcome[0]);
      job.attempt++;
      model.judged(job, outcome[0]);
    } else {
      world.on.nodes[1 - node].lookFromTheStart();
    }
  }

  private void meanwhile(
      int node, String queue, ModelJob job, Meanwhile meanwhile, List<ModelJob> open) {
    switch (meanwhile) {
      case NOTHING -> {}
      case SOMEBODY_CANCELS_IT -> {
        boolean ended = world.on.transactions.bare(() -> world.on.jobs.cancel(job.id));
        assertThat(ended).as("cancelled while in work").isFalse();
        model.wish(job);
      }
      case SOMEBODY_PRIORITIZES_IT -> {
        int other = (job.priority + 1) % 10;
        OperatorSteps.refused(
            () -> {
              world.on.transactions.bare(
                  () -> {
                    world.on.jobs.changePriority(job.id, other);
                    return true;
                  });
            });
      }
      case THE_OTHER_CLAIMS -> claim(1 - node, queue, 1);
    }
  }

  /** What becomes of an attempt, which must be what the model expects. */
  private Outcome judge(StepNode on, ClaimedJob claim, ModelJob job, How how) {
    Verdict verdict = on.verdict(claim);
    boolean wished = !on.cancellations(List.of(claim.id())).isEmpty();
    boolean last = model.lastAttempt(job, claim.attempt());
    Outcome outcome;
    boolean ends;
    switch (how) {
      case FAILS -> {
        Failure failure = Failure.of(Failure.Kind.FAILED, "failed");
        outcome =
            wished
                ? new Outcome.Cancelled(failure)
                : verdict.threw(new IllegalStateException("failed"), failure);
        ends = wished || last;
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
    // A claim that is stale may judge what it likes: it is not heard.
    if (!claim.leased() || model.owns(job, claim.claimNo())) {
      assertThat(!(outcome instanceof Outcome.Retry))
          .as("%s ends with this attempt", job)
          .isEqualTo(ends);
    }
    return outcome;
  }

  /** A handler of a leased job is through; keep: its thread says so twice. */
  void end(Hand hand, How how, boolean keep) {
    StepNode on = world.on.nodes[hand.node()];
    ModelJob job = hand.job();
    ClaimedJob claim = hand.claim();
    boolean owned = model.owns(job, claim.claimNo());
    assertThat(on.owns(claim)).as("%s is still its owner's", job).isEqualTo(owned);
    if (!keep) {
      world.hands.remove(hand);
    }
    JobState state = claim.expired() ? JobState.EXPIRED : JobState.COMPLETED;
    if (how == How.IS_GIVEN_BACK) {
      assertThat(on.giveBack(List.of(claim.alone()))).as("given back").isEqualTo(owned ? 1 : 0);
      on.giveBack(claim.behind());
      if (owned) {
        model.giveBack(job, model.nextPlace());
      }
    } else if (how == How.COMPLETES || claim.expired()) {
      if (job.cautious && owned) {
        assertThat(on.inTransaction(() -> on.end(claim, state))).as("acknowledged").isTrue();
      } else {
        on.acknowledge(List.of(claim), state);
      }
      if (owned) {
        model.end(job, state);
      }
    } else if (how != How.BREAKS_OFF) {
      Outcome outcome = judge(on, claim, job, how);
      on.record(claim, outcome);
      if (owned) {
        model.judged(job, outcome);
      }
    }
    if (how != How.BREAKS_OFF || claim.expired()) {
      giveBackBehind(claim);
    }
    world.came(owned ? job.state.name() : "stale");
  }

  /** A node works leased jobs, and goes on with what is next in the group of each. */
  void workOn(int node) {
    if (world.hands.stream().noneMatch(hand -> hand.node() == node)) {
      claim(node, "q", 2);
    }
    List.copyOf(world.hands).stream().filter(hand -> hand.node() == node).forEach(this::goOn);
  }

  private void goOn(Hand hand) {
    ModelJob job = hand.job();
    ClaimedJob claim = hand.claim();
    if (job.cautious) {
      end(hand, How.COMPLETES, false);
      return;
    }
    JobState how = claim.expired() ? JobState.EXPIRED : JobState.COMPLETED;
    boolean owned = model.owns(job, claim.claimNo());
    boolean settled = !model.order.unsettled();
    boolean well = owned && how == JobState.COMPLETED;
    List<ModelJob> next = well && claim.behind().isEmpty() ? model.order.nextAfter(job) : List.of();
    world.hands.remove(hand);
    List<ClaimedJob> leased = world.on.nodes[hand.node()].goOn(claim, how);
    if (owned) {
      model.end(job, how);
    }
    world.came(owned ? job.state + ", and " + leased.size() : "stale");
    if (well && !claim.behind().isEmpty()) {
      assertThat(leased)
          .as("what is behind %s", job)
          .containsExactly(ClaimedJob.inOrder(claim.behind()));
      hold(hand.node(), leased.get(0));
      return;
    }
    giveBackBehind(claim);
    assertThat(leased).as("next of its group").hasSizeLessThanOrEqualTo(1);
    List<ClaimedJob> all = leased.stream().flatMap(ClaimedJob::all).toList();
    int sure = 0;
    while (settled
        && sure < next.size()
        && next.get(sure).due + next.get(sure).dueWithin <= model.now) {
      sure++;
    }
    assertThat(all).as("of %s so many are surely due", next).hasSizeGreaterThanOrEqualTo(sure);
    assertThat(next).as("those that come next").hasSizeGreaterThanOrEqualTo(all.size());
    for (int i = 0; i < all.size(); i++) {
      ModelJob one = next.get(i);
      assertThat(all.get(i).id()).as("in the order of %s", next).isEqualTo(one.id);
      assertThat(one.due - one.dueWithin).as("when it is due").isLessThanOrEqualTo(model.now);
      one.everFree = true;
      model.claimed(one, world.on.nodes[hand.node()].no(), false);
      assertThat(all.get(i).claimNo()).as("the fence of %s", one).isEqualTo(one.fence);
    }
    leased.forEach(first -> hold(hand.node(), first));
  }

  private void hold(int node, ClaimedJob claim) {
    world.hands.add(new Hand(node, claim, model.jobs.get(claim.id())));
  }

  /** What is behind a job that does not end well waits for its turn again. */
  private void giveBackBehind(ClaimedJob claim) {
    for (ClaimedJob one : claim.behind()) {
      ModelJob job = model.jobs.get(one.id());
      if (model.owns(job, one.claimNo())) {
        model.giveBack(job, model.nextPlace());
      }
    }
  }

  /** A node acknowledges all that it has in hand at once. */
  void endAll(int node) {
    List<Hand> all = world.hands.stream().filter(hand -> hand.node() == node).toList();
    List<Hand> owned = all.stream().filter(h -> model.owns(h.job(), h.claim().claimNo())).toList();
    world.hands.removeAll(all);
    if (!all.isEmpty()) {
      world.on.nodes[node].acknowledge(all.stream().map(Hand::claim).toList(), JobState.COMPLETED);
      owned.forEach(hand -> model.end(hand.job(), JobState.COMPLETED));
      all.forEach(hand -> giveBackBehind(hand.claim()));
    }
    world.came(owned.stream().map(Hand::job).toList().toString());
  }

  /** A node begins to work a leased job. */
  void begin(Hand hand, boolean alone) {
    boolean owned = model.owns(hand.job(), hand.claim().claimNo());
    assertThat(world.on.nodes[hand.node()].markAlone(hand.claim(), alone))
        .as("%s is still its owner's", hand.job())
        .isEqualTo(owned);
    if (owned) {
      hand.job().alone = alone;
    }
  }

  void beat(int node) {
    StepNode on = world.on.nodes[node];
    Nodes.Beat beat = on.beat(List.of());
    assertThat(beat == null).as("declared dead").isEqualTo(model.dead(on.no()));
    if (beat == null) {
      world.came("dead, and born again");
      world.register(node);
      return;
    }
    model.nodes.get(on.no()).beat = model.now;
    assertThat(beat.leases().stream().map(l -> l.id() + " " + l.claimNo()).sorted().toList())
        .as("what it holds")
        .isEqualTo(
            model.jobs(j -> j.live() && j.owner == on.no()).stream()
                .map(j -> j.id + " " + j.fence)
                .sorted()
                .collect(Collectors.toList()));
  }

  void keepHouse(int node) {
    world.on.nodes[node].keepHouse();
    model.keepHouse();
  }

  /** A node falls silent; the other one finds that out. */
  void die(int node) {
    world.advance(StepNode.LEASE.plusSeconds(10));
    beat(1 - node);
    keepHouse(1 - node);
  }

  void settle(int node, boolean all) {
    if (all) {
      world.on.nodes[node].settleAll();
    } else {
      world.on.nodes[node].settle();
    }
    model.order.settle(all);
  }
}
