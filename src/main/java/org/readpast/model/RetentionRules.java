package org.readpast.model;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;

/**
 * Defines how long an application keeps the jobs that it has ended. A rule for the job's type takes
 * precedence over a rule for its queue, which takes precedence over the rule for its final state.
 *
 * @param usual the retention by final state; jobs in a state without a rule are kept for a hundred
 *     years
 * @param queues the retention by queue name, then by final state
 * @param types the retention by job type, then by final state
 * @param withoutPayload the job types whose payload is not kept if the job succeeds
 */
public record RetentionRules(
    Map<JobState, Duration> usual,
    Map<String, Map<JobState, Duration>> queues,
    Map<String, Map<JobState, Duration>> types,
    Set<String> withoutPayload) {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** Keeps all jobs. */
  public static final RetentionRules ALL = of(Map.of());

  /** Returns rules that do not distinguish types and queues. */
  public static RetentionRules of(Map<JobState, Duration> usual) {
    return new RetentionRules(usual, Map.of(), Map.of(), Set.of());
  }

  /**
   * Returns how long an ended job is kept; zero if it is not kept.
   *
   * @param type the type in its stored form; a rule for a type applies to all of its versions
   */
  public Duration kept(JobState state, String queue, String type) {
    Duration ofType = rule(types, StoredType.nameOf(type), state);
    if (ofType != null) {
      return ofType;
    }
    Duration ofQueue = ofQueue(state, queue);
    return ofQueue != null ? ofQueue : usual(state);
  }

  /**
   * Returns how long jobs of a queue in the given state are kept, or null if the queue has no rule.
   */
  public @Nullable Duration ofQueue(JobState state, String queue) {
    return rule(queues, queue, state);
  }

  private static @Nullable Duration rule(
      Map<String, Map<JobState, Duration>> rules, String name, JobState state) {
    Map<JobState, Duration> own = rules.get(name);
    return own == null ? null : own.get(state);
  }

  /**
   * Returns how long an ended job is kept, as a parameter for SQL statements in ms; 0 if it is not
   * kept; negative if it is kept for that time without its payload.
   */
  public long millis(JobState state, String queue, String type) {
    long millis = kept(state, queue, type).toMillis();
    return state == JobState.COMPLETED && withoutPayload.contains(StoredType.nameOf(type))
        ? -millis
        : millis;
  }

  /**
   * Returns a copy of the rules in which each rule for a type also applies to its aliases that have
   * no rule.
   */
  public RetentionRules withAliases(Map<String, String> aliases) {
    Map<String, Map<JobState, Duration>> all = new HashMap<>(types);
    Set<String> without = new HashSet<>(withoutPayload);
    aliases.forEach(
        (alias, name) -> {
          Map<JobState, Duration> own = types.get(name);
          if (own != null) {
            all.putIfAbsent(alias, own);
          }
          if (withoutPayload.contains(name)) {
            without.add(alias);
          }
        });
    return new RetentionRules(usual, queues, all, without);
  }

  /**
   * Returns how long jobs in the given state are kept if neither their type nor their queue has a
   * rule.
   */
  public Duration usual(JobState state) {
    return usual.getOrDefault(state, LONGEST);
  }

  /** Returns the rules of types for the given state, by name. */
  public Map<String, Duration> types(JobState state) {
    return rules(types, state);
  }

  /** Returns the rules of queues for the given state, by name. */
  public Map<String, Duration> queues(JobState state) {
    return rules(queues, state);
  }

  private static Map<String, Duration> rules(
      Map<String, Map<JobState, Duration>> rules, JobState state) {
    Map<String, Duration> said = new HashMap<>();
    rules.forEach(
        (name, own) -> {
          Duration time = own.get(state);
          if (time != null) {
            said.put(name, time);
          }
        });
    return said;
  }

  /** Returns true if some completed jobs are not kept at all. */
  public boolean forgetsSome() {
    return Stream.of(
            Stream.of(usual(JobState.COMPLETED)),
            types(JobState.COMPLETED).values().stream(),
            queues(JobState.COMPLETED).values().stream())
        .flatMap(times -> times)
        .anyMatch(Duration::isZero);
  }
}
