package org.readpast.modeltest;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import org.readpast.api.GroupFailure;
import org.readpast.api.PredecessorFailure;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;

/**
 * Describes a job to be enqueued.
 *
 * @param after the predecessors of the job, counted backwards from the last job
 * @param afterLast true if the previous job in the same call is a predecessor
 */
record JobSpec(
    String queue,
    String type,
    int priority,
    Integer delay,
    Integer expiry,
    String key,
    Integer maxAttempts,
    String batch,
    int wave,
    String group,
    boolean holds,
    List<Integer> after,
    boolean afterLast,
    PredecessorFailure onFailure) {
  static final List<String> BATCHES = List.of("b", "c");
  static final List<String> GROUPS = List.of("g", "h");
  static final Arbitrary<Integer> SPANS = Arbitraries.of(10, 30, 60, 300);
  static final Arbitrary<String> QUEUES =
      Arbitraries.frequency(
          Tuple.of(8, "q"),
          Tuple.of(1, World.LIMITED),
          Tuple.of(1, World.OF_LIMITED_TYPE),
          Tuple.of(1, Model.UNKEPT));

  JobSpec {
    boolean ofLimitedType = queue.equals(World.OF_LIMITED_TYPE);
    if (ofLimitedType != type.equals(World.LIMITED_TYPE)) {
      type = ofLimitedType ? World.LIMITED_TYPE : "u";
    }
  }

  static Arbitrary<JobSpec> any(Focus focus) {
    Arbitrary<Integer> spans = SPANS.injectNull(0.8);
    Arbitrary<List<Integer>> after =
        Arbitraries.frequencyOf(
            Tuple.of(3, Arbitraries.just(List.<Integer>of())),
            Tuple.of(
                focus.predecessors(),
                Arbitraries.integers().between(0, 11).list().ofMinSize(1).ofMaxSize(2)));
    Arbitrary<JobSpec> alone =
        Combinators.combine(
                QUEUES,
                Arbitraries.frequency(Tuple.of(3, "t"), Tuple.of(1, "u")),
                Arbitraries.frequency(
                    Tuple.of(6, 4), Tuple.of(1, 0), Tuple.of(2, 7), Tuple.of(1, 9)),
                spans,
                spans,
                Arbitraries.of("k", "l").injectNull(focus.withoutKey()),
                Arbitraries.of(1, 2, -1).injectNull(0.6))
            .as(JobSpec::alone);
    return Combinators.combine(
            alone,
            Arbitraries.of(BATCHES).injectNull(focus.withoutBatch()),
            Arbitraries.integers().between(0, 2),
            Arbitraries.of(GROUPS).injectNull(focus.withoutGroup()),
            Arbitraries.of(false, true),
            after,
            Arbitraries.frequency(Tuple.of(3, false), Tuple.of(1, true)),
            Arbitraries.of(PredecessorFailure.class))
        .as(JobSpec::at);
  }

  /** Returns jobs that have only a group. */
  static Arbitrary<JobSpec> inGroup() {
    return Combinators.combine(Arbitraries.of(GROUPS), Arbitraries.of(false, true))
        .as(
            (group, holds) ->
                alone("q", "t", 4, null, null, null, null)
                    .at(null, 0, group, holds, List.of(), false, PredecessorFailure.HOLD));
  }

  private static JobSpec alone(
      String queue,
      String type,
      int priority,
      Integer delay,
      Integer expiry,
      String key,
      Integer maxAttempts) {
    return new JobSpec(
        queue,
        type,
        priority,
        delay,
        expiry,
        key,
        maxAttempts,
        null,
        0,
        null,
        false,
        List.of(),
        false,
        PredecessorFailure.HOLD);
  }

  private JobSpec at(
      String newBatch,
      int newWave,
      String newGroup,
      boolean newHolds,
      List<Integer> newAfter,
      boolean newAfterLast,
      PredecessorFailure newOnFailure) {
    return new JobSpec(
        queue,
        type,
        priority,
        delay,
        expiry,
        key,
        maxAttempts,
        newBatch,
        newBatch == null ? 0 : newWave,
        newGroup,
        newGroup != null && newHolds,
        newAfter,
        newAfterLast,
        newOnFailure);
  }

  private JobSpec headers(
      String newQueue,
      String newType,
      int newPriority,
      Integer newDelay,
      Integer newExpiry,
      String newKey,
      Integer newMaxAttempts) {
    return alone(newQueue, newType, newPriority, newDelay, newExpiry, newKey, newMaxAttempts)
        .at(batch, wave, group, holds, after, afterLast, onFailure);
  }

  /** Returns variants of the job, each without one of its properties. */
  List<JobSpec> simpler() {
    return Stream.of(
            alone(queue, type, priority, delay, expiry, key, maxAttempts),
            at(null, 0, group, holds, after, afterLast, onFailure),
            at(batch, 0, group, holds, after, afterLast, onFailure),
            at(batch, wave, null, false, after, afterLast, onFailure),
            at(batch, wave, group, false, after, afterLast, onFailure),
            at(batch, wave, group, holds, List.of(), afterLast, onFailure),
            at(batch, wave, group, holds, after.stream().limit(1).toList(), afterLast, onFailure),
            at(batch, wave, group, holds, after, false, onFailure),
            headers("q", type, priority, delay, expiry, key, maxAttempts),
            headers(queue, "t", priority, delay, expiry, key, maxAttempts),
            headers(queue, type, 4, delay, expiry, key, maxAttempts),
            headers(queue, type, priority, null, expiry, key, maxAttempts),
            headers(queue, type, priority, delay, null, key, maxAttempts),
            headers(queue, type, priority, delay, expiry, null, maxAttempts),
            headers(queue, type, priority, delay, expiry, key, null))
        .filter(less -> !less.equals(this))
        .distinct()
        .toList();
  }

  /**
   * Returns the job to enqueue in the current state of the world.
   *
   * @param place the index of the job in the call, from 0
   * @param of the number of jobs in the call
   */
  NewJob job(World world, int place, int of) {
    // Deleted jobs are left out until the resolver has processed their end, because the known state
    // of these jobs depends on timing.
    List<ModelJob> all = world.model.jobs(job -> !job.gone || !world.model.order.unseen());
    List<Long> ids =
        all.isEmpty()
            ? List.of()
            : after.stream().map(which -> all.get(all.size() - 1 - which % all.size()).id).toList();
    return new NewJob(
        queue,
        type,
        priority,
        delay == null ? null : Duration.ofSeconds(delay),
        null,
        expiry == null ? null : Duration.ofSeconds(expiry),
        null,
        key,
        null,
        null,
        maxAttempts,
        new JobDependencies(
            group,
            holds ? GroupFailure.HOLD : GroupFailure.SKIP,
            batch,
            wave,
            of == 1 ? null : String.valueOf(place),
            ids,
            afterLast && place > 0 ? List.of(String.valueOf(place - 1)) : List.of(),
            onFailure),
        "{}",
        null);
  }

  static String describe(World world, NewJob job) {
    JobDependencies dependencies = job.dependencies();
    String after =
        Stream.concat(
                dependencies.after().stream().map(id -> String.valueOf(world.model.jobs.get(id))),
                dependencies.afterRefs().stream().map(ref -> "the job before"))
            .collect(Collectors.joining(" and "));
    return Stream.of(
            job.queue() + "/" + job.type(),
            job.priority() == 4 ? null : "priority " + job.priority(),
            job.delay() == null ? null : "delay " + job.delay(),
            job.expiresIn() == null ? null : "expires in " + job.expiresIn(),
            job.uniqueKey() == null ? null : "key " + job.uniqueKey(),
            job.maxAttempts() == null ? null : "max attempts " + job.maxAttempts(),
            dependencies.batch() == null
                ? null
                : "batch " + dependencies.batch() + " wave " + dependencies.wave(),
            dependencies.group() == null
                ? null
                : "group " + dependencies.group() + " " + dependencies.groupFailure(),
            after.isEmpty() ? null : "after " + after + " " + dependencies.predecessorFailure())
        .filter(Objects::nonNull)
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
