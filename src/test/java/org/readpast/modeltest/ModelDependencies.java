package org.readpast.modeltest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.readpast.api.BatchFailure;
import org.readpast.api.JobState;
import org.readpast.api.PredecessorFailure;
import org.readpast.engine.StepNode;
import org.readpast.modeltest.Model.ModelBatch;
import org.readpast.modeltest.ModelJob.Ending;
import org.readpast.modeltest.ModelJob.Waits;

/**
 * Applies the effects that the ends and additions of jobs have on the jobs that wait for them.
 * Changes are recorded immediately, and take effect when the resolver runs.
 */
final class ModelDependencies {
  /** Records that a discarded job holds its wave or its group. */
  static final class Hold {
    boolean wave;
    boolean group;
  }

  /** Holds the counts of a wave. */
  record Count(int live, int completed, int discarded, int cancelled, int expired) {}

  private final Model model;
  private final List<Runnable> said = new ArrayList<>();
  private final Set<String> touched = new HashSet<>();

  /** Contains the holds of discarded jobs, by the id of the job. */
  final Map<Long, Hold> holds = new TreeMap<>();

  /** Contains the counts of waves by batch and number, as of the last run of the resolver. */
  final Map<String, Count> counts = new TreeMap<>();

  /** Contains jobs whose end has not taken effect yet. */
  private final Set<ModelJob> untold = new HashSet<>();

  /** Contains the callbacks whose jobs were created since the last check, by batch and event. */
  final Map<String, ModelBatch> toCall = new LinkedHashMap<>();

  ModelDependencies(Model model) {
    this.model = model;
  }

  /** Returns true if there are changes that have not taken effect yet. */
  boolean unseen() {
    return !said.isEmpty();
  }

  private void say(String batch, Runnable what) {
    said.add(
        () -> {
          what.run();
          if (batch != null) {
            touched.add(batch);
          }
        });
  }

  void added(ModelJob job) {
    say(job.batch, () -> {});
  }

  void ended(ModelJob job) {
    JobState how = job.state;
    untold.add(job);
    say(
        job.batch,
        () -> {
          untold.remove(job);
          tellFollowers(job, how);
          holds.remove(job.id);
          if (how == JobState.DISCARDED) {
            Hold hold = new Hold();
            hold.wave = job.batch != null && batch(job).onFailure == BatchFailure.HOLD;
            hold.group = job.holdsGroup;
            if (hold.wave || hold.group) {
              holds.put(job.id, hold);
            }
            if (job.batch != null && batch(job).onFailure == BatchFailure.CANCEL) {
              cancelNow(batch(job));
            }
          }
        });
  }

  private ModelBatch batch(ModelJob job) {
    return model.batch(job.batch);
  }

  private void tellFollowers(ModelJob ended, JobState how) {
    for (ModelJob job : model.jobs.values()) {
      if (job.after.containsKey(ended.id)) {
        if (how == JobState.COMPLETED) {
          job.after.remove(ended.id);
        } else {
          job.after.put(ended.id, Ending.BADLY);
        }
      }
    }
  }

  void reset(ModelJob job, JobState before) {
    say(
        job.batch,
        () -> {
          for (ModelJob other : model.jobs.values()) {
            if (other.waits(Waits.PREDECESSOR) && other.after.containsKey(job.id)) {
              other.after.put(job.id, Ending.OPEN);
            }
          }
          if (job.waits(Waits.PREDECESSOR)) {
            job.after.replaceAll((id, ending) -> Ending.OPEN);
          }
          Hold hold = holds.get(job.id);
          if (hold != null) {
            hold.wave = false;
            dropIfNothing(job.id);
          }
        });
  }

  private void dropIfNothing(long job) {
    Hold hold = holds.get(job);
    if (hold != null && !hold.wave && !hold.group) {
      holds.remove(job);
    }
  }

  void deleted(ModelJob job) {
    if (job.state == JobState.DISCARDED) {
      say(job.batch, () -> holds.remove(job.id));
    }
  }

  void cancel(ModelJob job) {
    int life = job.lives;
    say(
        null,
        () -> {
          if (job.lives != life) {
            return;
          }
          if (job.waits()) {
            model.end(job, JobState.CANCELLED);
          } else if (job.live()) {
            model.requestCancellation(job);
          }
        });
  }

  void seal(ModelBatch batch) {
    say(batch.name, () -> batch.sealed = true);
  }

  void hold(ModelBatch batch) {
    say(batch.name, () -> batch.held = !batch.cancelled && !batch.finished);
  }

  void release(ModelBatch batch) {
    say(batch.name, () -> batch.held = false);
  }

  void cancel(ModelBatch batch) {
    say(batch.name, () -> cancelNow(batch));
  }

  void look(ModelBatch batch) {
    say(batch.name, () -> {});
  }

  private void cancelNow(ModelBatch batch) {
    if (!batch.cancelled) {
      batch.cancelled = true;
      batch.sealed = true;
      batch.held = false;
    }
    members(batch).stream()
        .filter(job -> job.state == JobState.RUNNING)
        .forEach(model::requestCancellation);
  }

  void skip(ModelBatch batch) {
    say(
        batch.name,
        () -> {
          for (ModelJob job : members(batch.name)) {
            Hold hold = holds.get(job.id);
            if (hold != null) {
              hold.wave = false;
              dropIfNothing(job.id);
            }
          }
        });
  }

  void skip(String queue, String group) {
    say(
        null,
        () -> {
          for (long id : List.copyOf(holds.keySet())) {
            if ((queue + "/" + group).equals(model.jobs.get(id).line())) {
              holds.get(id).group = false;
              dropIfNothing(id);
            }
          }
        });
  }

  private List<ModelJob> members(String batch) {
    return model.jobs(job -> batch.equals(job.batch));
  }

  private List<ModelJob> members(ModelBatch batch) {
    return model.jobs(job -> job.live() && batch.name.equals(job.batch));
  }

  /**
   * Applies all changes and their consequences.
   *
   * @param all true to also process predecessors that have ended and are no longer stored
   */
  void resolve(boolean all) {
    long place = model.nextPlace();
    boolean changed;
    do {
      List<Runnable> now = List.copyOf(said);
      said.clear();
      now.forEach(Runnable::run);
      changed = predecessors(all, place);
      changed |= cancelBatches();
      changed |= waves(place);
      changed |= groups(place);
    } while (changed || !said.isEmpty());
    touched.clear();
    count();
    finish();
  }

  private boolean predecessors(boolean all, long place) {
    boolean changed = false;
    for (ModelJob job : model.jobs(j -> j.waits(Waits.PREDECESSOR))) {
      look(job, all);
      boolean badly = job.after.containsValue(Ending.BADLY);
      if (badly && job.onFailure == PredecessorFailure.CANCEL) {
        model.end(job, JobState.CANCELLED);
        changed = true;
      } else if (!job.after.containsValue(Ending.OPEN)
          && (!badly || job.onFailure == PredecessorFailure.RUN)) {
        goOn(job, place);
        changed = true;
      }
    }
    return changed;
  }

  private void look(ModelJob job, boolean all) {
    for (long id : List.copyOf(job.after.keySet())) {
      ModelJob predecessor = model.jobs.get(id);
      if (job.after.get(id) == Ending.OPEN) {
        if (predecessor.gone ? all : predecessor.state == JobState.COMPLETED) {
          job.after.remove(id);
        } else if (!predecessor.gone && predecessor.endedBadly()) {
          job.after.put(id, Ending.BADLY);
        }
      }
    }
  }

  /**
   * Moves a job to the next stage: from its predecessors to its wave, and from there to its group.
   */
  private void goOn(ModelJob job, long place) {
    if (job.waitsFor == Waits.PREDECESSOR && job.batch != null) {
      job.waitsFor = Waits.WAVE;
    } else if (job.waitsFor != Waits.GROUP && job.group != null) {
      job.waitsFor = Waits.GROUP;
    } else {
      model.free(job, place);
    }
  }

  private boolean cancelBatches() {
    boolean changed = false;
    for (String name : touched) {
      ModelBatch batch = model.batch(name);
      if (batch.cancelled) {
        for (ModelJob job : members(batch)) {
          if (job.waits()) {
            model.end(job, JobState.CANCELLED);
            changed = true;
          }
        }
      }
    }
    return changed;
  }

  private boolean waves(long place) {
    boolean changed = false;
    for (ModelJob job : model.jobs(j -> j.waits(Waits.WAVE))) {
      ModelBatch batch = batch(job);
      boolean waits =
          members(batch.name).stream()
              .filter(other -> other.wave < job.wave)
              .anyMatch(other -> other.live() || untold.contains(other) || holdsWave(other));
      if (!waits && !batch.held && !batch.cancelled) {
        goOn(job, place);
        changed = true;
      }
    }
    return changed;
  }

  private boolean holdsWave(ModelJob job) {
    Hold hold = holds.get(job.id);
    return hold != null && hold.wave;
  }

  private boolean holdsGroup(ModelJob job) {
    Hold hold = holds.get(job.id);
    return hold != null && hold.group;
  }

  /**
   * Returns the jobs with which the receiver may continue if this job succeeds and they are due. If
   * no job is returned, the resolver has to release the next job.
   */
  List<ModelJob> nextAfter(ModelJob ending) {
    List<ModelJob> all = model.jobs(j -> ending.group != null && ending.line().equals(j.line()));
    boolean busy =
        all.stream().anyMatch(j -> j != ending && j.live() && j.state != JobState.BLOCKED);
    boolean held = all.stream().anyMatch(this::holdsGroup);
    return busy || held
        ? List.of()
        : all.stream()
            .filter(j -> j.waits(Waits.GROUP))
            .takeWhile(
                next ->
                    next.batch == null
                        && next.type.equals(ending.type)
                        && next.priority == ending.priority)
            .limit(ending.holdsGroup ? 1 : StepNode.MAX_OF_GROUP)
            .toList();
  }

  private boolean groups(long place) {
    boolean changed = false;
    Set<String> lines = new TreeSet<>();
    model.jobs(j -> j.waits(Waits.GROUP)).forEach(job -> lines.add(job.line()));
    for (String line : lines) {
      List<ModelJob> all = model.jobs(j -> line.equals(j.line()));
      boolean busy = all.stream().anyMatch(j -> j.live() && j.state != JobState.BLOCKED);
      boolean held = all.stream().anyMatch(this::holdsGroup);
      ModelJob next =
          all.stream()
              .filter(j -> j.waits(Waits.GROUP) && (!held || holdsGroup(j)))
              .filter(j -> j.batch == null || !batch(j).cancelled)
              .findFirst()
              .orElse(null);
      if (!busy && next != null) {
        goOn(next, place);
        changed = true;
      }
    }
    return changed;
  }

  private void count() {
    counts.clear();
    for (ModelJob job : model.jobs(j -> j.batch != null)) {
      counts.merge(
          job.batch + " " + job.wave,
          new Count(
              job.live() ? 1 : 0,
              job.state == JobState.COMPLETED ? 1 : 0,
              job.state == JobState.DISCARDED ? 1 : 0,
              job.state == JobState.CANCELLED ? 1 : 0,
              job.state == JobState.EXPIRED ? 1 : 0),
          (a, b) ->
              new Count(
                  a.live + b.live,
                  a.completed + b.completed,
                  a.discarded + b.discarded,
                  a.cancelled + b.cancelled,
                  a.expired + b.expired));
    }
  }

  private void finish() {
    for (ModelBatch batch : model.batches.values()) {
      List<ModelJob> all = members(batch.name);
      if (all.stream().anyMatch(job -> job.state == JobState.DISCARDED)) {
        call(batch, "DISCARD");
      }
      if (batch.sealed && all.stream().noneMatch(ModelJob::live)) {
        batch.finished = true;
        batch.held = false;
        call(batch, "FINISH");
        if (all.stream().allMatch(job -> job.state == JobState.COMPLETED)) {
          call(batch, "SUCCESS");
        }
      }
    }
  }

  private void call(ModelBatch batch, String event) {
    if (batch.callbacks.containsKey(event) && batch.called.add(event)) {
      toCall.put(batch.name + " " + event, Objects.requireNonNull(batch));
    }
  }
}
