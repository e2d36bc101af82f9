package org.readpast.rest;

import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbPropertyOrder;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.store.QueueView;

/** A queue as JSON. */
@JsonbPropertyOrder({"name", "paused", "concurrency", "globalConcurrency", "reserved", "counts"})
public record QueueAnswer(
    String name,
    boolean paused,
    @JsonbProperty(nillable = true) @Nullable Integer concurrency,
    @JsonbProperty(nillable = true) @Nullable Integer globalConcurrency,
    @JsonbProperty(nillable = true) @Nullable Integer reserved,
    Map<String, Long> counts) {

  static QueueAnswer of(QueueView queue) {
    return new QueueAnswer(
        queue.settings().name(),
        queue.settings().paused(),
        queue.settings().concurrency(),
        queue.settings().globalConcurrency(),
        queue.settings().reserved(),
        queue.counts().entrySet().stream()
            .collect(
                Collectors.toMap(
                    entry -> entry.getKey().name(),
                    Map.Entry::getValue,
                    Long::sum,
                    java.util.LinkedHashMap::new)));
  }
}
