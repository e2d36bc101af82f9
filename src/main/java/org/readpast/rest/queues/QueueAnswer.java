package org.readpast.rest.queues;

import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbPropertyOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Overview;
import org.readpast.admin.store.QueueView;
import org.readpast.api.JobState;
import org.readpast.engine.Settings;
import org.readpast.model.RetentionRules;
import org.readpast.store.Nodes.QueueRow;

/**
 * Represents a queue as JSON.
 *
 * @param atLeast the states that have more jobs than were counted, or null if there are none
 * @param oldestMillis how long the oldest job has been due
 * @param perSecond the number of jobs per second that ended or failed in the last minute
 * @param depths the depth of the queue in each minute of the last hour: the number of AVAILABLE
 *     jobs and of RUNNING jobs that kept their position
 * @param settings the settings that apply on this node, by name
 */
@JsonbPropertyOrder({
  "name",
  "paused",
  "concurrency",
  "globalConcurrency",
  "reserved",
  "counts",
  "atLeast",
  "oldestMillis",
  "perSecond",
  "depths",
  "settings"
})
public record QueueAnswer(
    String name,
    boolean paused,
    @JsonbProperty(nillable = true) @Nullable Integer concurrency,
    @JsonbProperty(nillable = true) @Nullable Integer globalConcurrency,
    @JsonbProperty(nillable = true) @Nullable Integer reserved,
    Map<JobState, Long> counts,
    @Nullable Set<JobState> atLeast,
    @Nullable Long oldestMillis,
    @Nullable Double perSecond,
    long @Nullable [] depths,
    @Nullable Map<String, Setting> settings) {

  /** Lists the sources of a setting's value. */
  public enum Source {
    /** An operator has set the value. */
    CONSOLE,
    /** The configuration of this application sets the value. */
    CONFIGURATION,
    /** The value is the default. */
    DEFAULT
  }

  /** Holds the value of a setting and its source. */
  public record Setting(String value, Source source) {}

  static QueueAnswer of(QueueView queue) {
    return of(queue, null, null, null, null);
  }

  public static QueueAnswer of(Overview.Queue queue, @Nullable Settings node) {
    return of(
        queue.view(),
        queue.oldestMillis(),
        queue.perSecond(),
        queue.depths(),
        node == null ? null : settings(queue.view().settings(), node));
  }

  private static QueueAnswer of(
      QueueView queue,
      @Nullable Long oldestMillis,
      @Nullable Double perSecond,
      long @Nullable [] depths,
      @Nullable Map<String, Setting> settings) {
    QueueRow row = queue.settings();
    return new QueueAnswer(
        row.name(),
        row.paused(),
        row.concurrency(),
        row.globalConcurrency(),
        row.reserved(),
        queue.counts(),
        queue.atLeast().isEmpty() ? null : queue.atLeast(),
        oldestMillis,
        perSecond,
        depths,
        settings);
  }

  private static Map<String, Setting> settings(QueueRow row, Settings node) {
    Settings.QueueSettings configured = node.queue(row.name());
    Map<String, Setting> settings = new LinkedHashMap<>();
    settings.put(
        "concurrency",
        setting(row.concurrency(), configured.concurrency(), "" + node.concurrency()));
    settings.put(
        "globalConcurrency",
        setting(row.globalConcurrency(), row.configuredGlobalConcurrency(), "no limit"));
    settings.put("reserved", setting(row.reserved(), configured.reserved(), "0"));
    settings.put("mode", setting(null, configured.mode(), "as each handler declares"));
    RetentionRules kept = node.retention();
    for (JobState state : List.of(JobState.COMPLETED, JobState.DISCARDED)) {
      settings.put(
          "retention." + state.name().toLowerCase(Locale.ROOT),
          setting(null, kept.ofQueue(state, row.name()), "" + kept.usual(state)));
    }
    settings.put(
        "work-time-limit", setting(null, configured.workTimeLimit(), "" + node.workTimeLimit()));
    return settings;
  }

  private static Setting setting(
      @Nullable Object said, @Nullable Object configured, String otherwise) {
    if (said != null) {
      return new Setting(said.toString(), Source.CONSOLE);
    }
    return configured != null
        ? new Setting(configured.toString(), Source.CONFIGURATION)
        : new Setting(otherwise, Source.DEFAULT);
  }
}
