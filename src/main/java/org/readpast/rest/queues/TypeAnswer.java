package org.readpast.rest.queues;

import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbPropertyOrder;
import org.jspecify.annotations.Nullable;
import org.readpast.engine.Settings.TypeConcurrency;

/**
 * Represents a job type with limits as JSON.
 *
 * @param concurrency the maximum number of concurrent jobs on this node
 * @param globalConcurrency the maximum number of concurrent jobs across all nodes
 */
@JsonbPropertyOrder({"name", "concurrency", "globalConcurrency"})
public record TypeAnswer(
    String name,
    @JsonbProperty(nillable = true) @Nullable Integer concurrency,
    @JsonbProperty(nillable = true) @Nullable Integer globalConcurrency) {

  static TypeAnswer of(String name, TypeConcurrency limits) {
    return new TypeAnswer(name, limits.concurrency(), limits.globalConcurrency());
  }
}
