package org.readpast.modeltest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.readpast.admin.BatchControl;
import org.readpast.admin.store.BatchAdmin.Action;
import org.readpast.admin.store.QueueAdmin;
import org.readpast.api.BatchFailure;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobState;
import org.readpast.api.NotFoundException;
import org.readpast.api.PredecessorFailure;
import org.readpast.api.StateConflictException;
import org.readpast.model.NewJob;
import org.readpast.modeltest.Model.ModelBatch;
import org.readpast.modeltest.ModelJob.Ending;
import org.readpast.modeltest.ModelJob.Waits;

/** Performs the steps of operators, each in the database and in the model. */
final class OperatorSteps {
  private final World world;
  private final Model model;

  OperatorSteps(World world) {
    this.world = world;
    this.model = world.model;
  }

  static void refused(ThrowingCallable action) {
    assertThatThrownBy(action).isInstanceOf(StateConflictException.class);
  }

  private void unknown(ThrowingCallable action) {
    assertThatThrownBy(action).isInstanceOf(NotFoundException.class);
    world.came("unknown");
  }

  private static boolean done(Runnable action) {
    try {
      action.run();
      return true;
    } catch (StateConflictException e) {
      return false;
    }
  }

  void cancel(ModelJob job) {
    if (job.gone) {
      unknown(() -> world.on.jobs.cancel(job.id));
    } else if (!job.live()) {
      refused(() -> world.on.jobs.cancel(job.id));
    } else {
      boolean ended = world.on.jobs.cancel(job.id);
      assertThat(ended).as("ended immediately").isEqualTo(model.cancel(job));
    }
  }

  void reset(ModelJob job, boolean force) {
    if (job.gone) {
      unknown(() -> world.on.jobs.reset(job.id, force));
    } else if (!model.resettable(job)) {
      refused(() -> world.on.jobs.reset(job.id, force));
      world.came("refused");
    } else {
      boolean done = done(() -> world.on.jobs.reset(job.id, force));
      world.came(done ? "done" : "overtaken");
      List<ModelJob> followers = model.followers(job);
      if (force
          || followers.stream()
              .noneMatch(f -> f.everFree || f.state.ended() || mayHaveGonePast(f, job))) {
        assertThat(done).as("reset").isTrue();
      } else if (followers.stream().anyMatch(follower -> overtook(follower, job))) {
        assertThat(done).as("reset although followers have started").isFalse();
      }
      if (done) {
        adoptWait(job);
      }
    }
  }

  /** Returns true if a job waits, but possibly no longer for the ended job. */
  private static boolean mayHaveGonePast(ModelJob follower, ModelJob ended) {
    return follower.waits(Waits.GROUP)
        || (follower.waits(Waits.WAVE) && follower.after.containsKey(ended.id));
  }

  /** Returns true if a job has certainly started. The database may consider more jobs started. */
  private static boolean overtook(ModelJob follower, ModelJob ended) {
    boolean started = follower.live() && follower.state != JobState.BLOCKED;
    boolean ran = follower.state == JobState.COMPLETED || follower.state == JobState.DISCARDED;
    return started || (ran && !follower.after.containsKey(ended.id));
  }

  /**
   * Resets a job whose predecessors have all succeeded. The database may know already that the
   * predecessors have succeeded, or the resolver may still have to check it.
   */
  private void adoptWait(ModelJob job) {
    boolean open =
        job.after.keySet().stream()
            .map(model.jobs::get)
            .anyMatch(before -> !before.gone && before.state != JobState.COMPLETED);
    if (!open && !job.after.isEmpty()) {
      String said = world.look().said.get("job " + job.id);
      if (!said.contains(" " + Waits.PREDECESSOR)) {
        job.after.clear();
      }
    }
    model.reset(job, model.firstWaitsFor(job));
  }

  void prioritize(ModelJob job, int priority) {
    ThrowingCallable action = () -> world.on.jobs.changePriority(job.id, priority);
    if (job.gone) {
      unknown(action);
    } else if (!job.waits()) {
      refused(action);
    } else {
      world.on.jobs.changePriority(job.id, priority);
      model.prioritize(job, priority);
    }
  }

  void runNow(ModelJob job) {
    if (job.gone) {
      unknown(() -> world.on.jobs.runNow(job.id));
    } else if (job.state != JobState.SCHEDULED) {
      refused(() -> world.on.jobs.runNow(job.id));
    } else {
      world.on.jobs.runNow(job.id);
      model.runNow(job);
    }
  }

  void reschedule(ModelJob job, int seconds) {
    long moment = model.now + seconds * 1_000L;
    ThrowingCallable action = () -> world.on.jobs.reschedule(job.id, world.instant(moment));
    if (job.gone) {
      unknown(action);
    } else if (job.state != JobState.SCHEDULED && job.state != JobState.AVAILABLE) {
      refused(action);
    } else {
      world.on.jobs.reschedule(job.id, world.instant(moment));
      model.reschedule(job, moment);
    }
  }

  void delete(ModelJob job) {
    ThrowingCallable action = () -> world.on.jobs.delete(job.id);
    List<ModelJob> asking =
        model.jobs(j -> j.state == JobState.BLOCKED && j.after.containsKey(job.id));
    if (job.gone) {
      unknown(action);
    } else if (job.live()
        || asking.stream().anyMatch(f -> f.onFailure == PredecessorFailure.HOLD)) {
      refused(action);
      world.came("refused");
    } else {
      boolean done = done(() -> world.on.jobs.delete(job.id));
      world.came(done ? "done" : "refused");
      // A follower that has not been notified of the end yet may or may not prevent the deletion.
      if (asking.stream().noneMatch(follower -> follower.after.get(job.id) == Ending.OPEN)) {
        assertThat(done).as("deleted").isTrue();
      }
      if (done) {
        model.delete(job);
      }
    }
  }

  void define(String name, BatchFailure onFailure) {
    ModelBatch batch = model.batches.get(name);
    if (batch != null && batch.onFailure != onFailure) {
      assertThatThrownBy(() -> world.on.batches.define(name, onFailure))
          .isInstanceOf(JobRejectedException.class);
      world.came("refused");
    } else {
      world.on.batches.define(name, onFailure);
      model.batches.putIfAbsent(name, new ModelBatch(name, onFailure));
    }
  }

  void callback(String name, BatchControl.Event event, NewJob job) {
    world.on.batches.callback(name, event, job);
    ModelBatch batch = model.batch(name);
    batch.callbacks.putIfAbsent(event.name(), job);
    model.order.look(batch);
  }

  void request(String name, Action action) {
    ModelBatch batch = model.batches.get(name);
    if (batch == null) {
      unknown(() -> world.on.batches.request(action, name));
    } else if (action == Action.HOLD && (batch.cancelled || batch.finished)) {
      refused(() -> world.on.batches.request(action, name));
    } else {
      world.on.batches.request(action, name);
      switch (action) {
        case SEAL -> model.order.seal(batch);
        case SKIP -> model.order.skip(batch);
        case HOLD -> model.order.hold(batch);
        case RELEASE -> model.order.release(batch);
        case CANCEL -> model.order.cancel(batch);
      }
    }
  }

  void skipGroup(String queue, String group) {
    world.on.batches.skipGroup(queue, group);
    model.order.skip(queue, group);
  }

  void pause(String queue, boolean value) {
    world.on.queues.change(queue, QueueAdmin.Change.paused(value));
    world.paused.put(queue, value);
  }
}
