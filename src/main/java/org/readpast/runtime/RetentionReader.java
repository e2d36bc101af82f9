package org.readpast.runtime;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.model.RetentionRules;

/** Reads from the configuration how long ended jobs are kept. */
final class RetentionReader {
  private RetentionReader() {}

  /** Reads the rules for all jobs and for the given queues and types, and adds the errors. */
  static RetentionRules read(
      Set<String> queueNames, Set<String> typeNames, ConfigurationErrors errors) {
    Map<JobState, Duration> usual = times("readpast.retention.", "P7D", "P90D", errors);
    Map<String, Map<JobState, Duration>> queues = new HashMap<>();
    for (String name : queueNames) {
      queues.put(name, times("readpast.queue.\"" + name + "\".retention.", null, null, errors));
    }
    Map<String, Map<JobState, Duration>> types = new HashMap<>();
    Set<String> withoutPayload = new HashSet<>();
    for (String name : typeNames) {
      String prefix = "readpast.type.\"" + name + "\".retention.";
      types.put(name, times(prefix, null, null, errors));
      Duration payload = errors.optionalDuration(prefix + "payload");
      if (payload != null) {
        errors.check(
            payload.isZero(),
            prefix + "payload",
            payload,
            "specify PT0S to erase the payloads of jobs that succeed, or leave it out to keep them"
                + " as long as the jobs");
        withoutPayload.add(name);
      }
    }
    return new RetentionRules(usual, queues, types, withoutPayload);
  }

  private static Map<JobState, Duration> times(
      String prefix,
      @Nullable String completed,
      @Nullable String others,
      ConfigurationErrors errors) {
    Map<JobState, Duration> kept = new EnumMap<>(JobState.class);
    Duration well = duration(prefix + "completed", completed, errors);
    if (well != null) {
      kept.put(JobState.COMPLETED, well);
    }
    Duration badly = duration(prefix + "discarded", others, errors);
    if (badly != null) {
      errors.check(
          !badly.isZero(),
          prefix + "discarded",
          badly,
          "specify more than zero: only COMPLETED jobs may be removed immediately");
      kept.put(JobState.DISCARDED, badly);
      kept.put(JobState.CANCELLED, badly);
      kept.put(JobState.EXPIRED, badly);
    }
    return kept;
  }

  private static @Nullable Duration duration(
      String key, @Nullable String otherwise, ConfigurationErrors errors) {
    return otherwise == null ? errors.optionalDuration(key) : errors.duration(key, otherwise);
  }
}
