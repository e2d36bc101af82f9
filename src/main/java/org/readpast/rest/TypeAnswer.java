package org.readpast.rest;

import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbPropertyOrder;
import org.jspecify.annotations.Nullable;
import org.readpast.engine.Settings.TypeConcurrency;

/**
 * A job type with limits, as JSON.
 *
 * @param concurrency jobs at a time on this node
 * @param globalConcurrency jobs at a time over all nodes
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
