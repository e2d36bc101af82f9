package org.readpast.testkit;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.readpast.api.BatchFailure;
import org.readpast.api.JobState;
import org.readpast.api.PredecessorFailure;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.model.Transition;
import org.readpast.testkit.Memory.BatchState;

/** Determines how the ends and the additions of jobs affect the jobs that wait for them. */
final class Order {
  private final Memory memory;

  Order(Memory memory) {
    this.memory = memory;
  }

  /** Applies the effects repeatedly after a commit, until nothing changes anymore. */
  void resolve() {
    boolean changed;
    do {
      changed = memory.tick();
      changed |= cancelAsked();
      changed |= predecessors();
      changed |= cancelBatches();
      changed |= waves();
      changed |= groups();
      changed |= callBack();
    } while (changed);
  }

  private boolean cancelAsked() {
    boolean changed = false;
    for (MemoryJob job : memory.live().toList()) {
      if (job.cancellationRequested && job.state != JobState.RUNNING) {
        end(job, Transition.CANCEL);
        changed = true;
      }
    }
    return changed;
  }

  private void end(MemoryJob job, Transition transition) {
    if (transition.allowedFrom(job.state)) {
      memory.edit(job.id).end(transition.to(), memory.now);
    }
  }

  private List<MemoryJob> waitingFor(String what) {
    return memory.live().filter(job -> what.equals(job.waitsFor)).toList();
  }

  private boolean predecessors() {
    boolean changed = false;
    for (MemoryJob job : waitingFor("PREDECESSOR")) {
      PredecessorFailure failure = job.asked.dependencies().predecessorFailure();
      List<JobState> states =
          job.predecessors.stream()
              .map(id -> Objects.requireNonNull(memory.find(id)).state)
              .toList();
      if (failure == PredecessorFailure.CANCEL && states.stream().anyMatch(Order::badly)) {
        end(job, Transition.CANCEL);
        changed = true;
      } else if (states.stream()
          .allMatch(
              state ->
                  state == JobState.COMPLETED
                      || (failure == PredecessorFailure.RUN && badly(state)))) {
        goOn(job);
        changed = true;
      }
    }
    return changed;
  }

  static boolean badly(JobState state) {
    return state.ended() && state != JobState.COMPLETED;
  }

  /**
   * Moves a job to the next stage: from waiting for its predecessors to waiting for its wave, and
   * then for its group.
   */
  private void goOn(MemoryJob job) {
    MemoryJob changed = memory.edit(job.id);
    JobDependencies dependencies = job.asked.dependencies();
    if ("PREDECESSOR".equals(job.waitsFor) && dependencies.batch() != null) {
      changed.waitsFor = "WAVE";
    } else if (!"GROUP".equals(job.waitsFor) && dependencies.group() != null) {
      changed.waitsFor = "GROUP";
    } else {
      memory.free(changed);
    }
  }

  private boolean cancelBatches() {
    boolean changed = false;
    for (BatchState batch : memory.batches()) {
      batch.sealed |= batch.sealAsked;
      List<MemoryJob> members = members(batch);
      if (!batch.cancelled
          && batch.failurePolicy == BatchFailure.CANCEL
          && members.stream().anyMatch(job -> job.state == JobState.DISCARDED)) {
        batch.cancelled = true;
        batch.sealed = true;
        members.stream()
            .filter(job -> job.state == JobState.RUNNING)
            .forEach(job -> memory.edit(job.id).cancellationRequested = true);
        changed = true;
      }
      if (batch.cancelled) {
        for (MemoryJob job : members) {
          if (job.live() && job.state != JobState.RUNNING) {
            end(job, Transition.CANCEL);
            changed = true;
          }
        }
      }
    }
    return changed;
  }

  private List<MemoryJob> members(BatchState batch) {
    return memory.all().stream()
        .filter(job -> batch.name.equals(job.asked.dependencies().batch()))
        .toList();
  }

  private boolean waves() {
    boolean changed = false;
    for (MemoryJob job : waitingFor("WAVE")) {
      BatchState batch = Objects.requireNonNull(memory.batch(job.asked.dependencies().batch()));
      boolean held =
          members(batch).stream()
              .filter(other -> other.asked.dependencies().wave() < job.asked.dependencies().wave())
              .anyMatch(
                  other ->
                      other.live()
                          || (other.state == JobState.DISCARDED
                              && batch.failurePolicy == BatchFailure.HOLD));
      if (!held && !batch.cancelled) {
        goOn(job);
        changed = true;
      }
    }
    return changed;
  }

  private record Group(String queue, String key) {
    static Group of(MemoryJob job) {
      return new Group(job.asked.queue(), Objects.requireNonNull(job.asked.dependencies().group()));
    }
  }

  private boolean groups() {
    boolean changed = false;
    Set<Group> looked = new HashSet<>();
    // Jobs are checked in the order of their ids, so that the first job of each group starts.
    for (MemoryJob job : waitingFor("GROUP")) {
      BatchState batch = memory.batch(job.asked.dependencies().batch());
      if ((batch == null || !batch.cancelled) && mayGo(job) && looked.add(Group.of(job))) {
        goOn(job);
        changed = true;
      }
    }
    return changed;
  }

  private boolean mayGo(MemoryJob job) {
    List<MemoryJob> others =
        memory.all().stream()
            .filter(other -> other.asked.dependencies().group() != null)
            .filter(other -> Group.of(other).equals(Group.of(job)))
            .toList();
    boolean held = others.stream().anyMatch(other -> other.holdsGroup);
    return others.stream().noneMatch(other -> other.live() && other.waitsFor == null)
        && (!held || job.holdsGroup);
  }

  private boolean callBack() {
    boolean changed = false;
    for (BatchState batch : List.copyOf(memory.batches())) {
      List<MemoryJob> members = members(batch);
      if (members.stream().anyMatch(job -> job.state == JobState.DISCARDED)) {
        changed |= call(batch, "DISCARD");
      }
      if (batch.sealed && members.stream().noneMatch(MemoryJob::live)) {
        changed |= call(batch, "FINISH");
        if (members.stream().allMatch(job -> job.state == JobState.COMPLETED)) {
          changed |= call(batch, "SUCCESS");
        }
      }
    }
    return changed;
  }

  private boolean call(BatchState batch, String event) {
    NewJob job = batch.callbacks.get(event);
    if (job == null || !batch.called.add(event)) {
      return false;
    }
    memory.insert(List.of(job));
    return true;
  }

  /**
   * Returns true if a job has been released that would have waited if the given job had not ended.
   */
  boolean overtaken(MemoryJob ended) {
    JobDependencies dependencies = ended.asked.dependencies();
    return memory.all().stream()
        .anyMatch(
            job ->
                (job.predecessors.contains(ended.id)
                        && job.asked.dependencies().predecessorFailure() == PredecessorFailure.RUN
                        && !"PREDECESSOR".equals(job.waitsFor))
                    || (dependencies.batch() != null
                        && dependencies.batch().equals(job.asked.dependencies().batch())
                        && job.asked.dependencies().wave() > dependencies.wave()
                        && !"PREDECESSOR".equals(job.waitsFor)
                        && !"WAVE".equals(job.waitsFor)
                        && job.state != JobState.CANCELLED
                        && job.state != JobState.EXPIRED));
  }

  /** Resets an ended job. */
  void reset(MemoryJob job) {
    MemoryJob back = memory.edit(job.id);
    JobDependencies dependencies = job.asked.dependencies();
    back.uncounted = back.attempt;
    back.cancellationRequested = false;
    back.availableAt = memory.now;
    back.expiresAt =
        back.expiresAt != null && back.expiresAt.isAfter(memory.now) ? back.expiresAt : null;
    back.state = JobState.BLOCKED;
    boolean follows =
        job.predecessors.stream()
            .anyMatch(id -> Objects.requireNonNull(memory.find(id)).state != JobState.COMPLETED);
    back.waitsFor =
        follows
            ? "PREDECESSOR"
            : dependencies.batch() != null ? "WAVE" : dependencies.group() != null ? "GROUP" : null;
    if (back.waitsFor == null) {
      memory.makeAvailable(back);
    }
  }
}
