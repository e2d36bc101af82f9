package org.readpast.benchmark;

import org.jspecify.annotations.Nullable;
import org.readpast.benchmark.Measure.Aim;

/**
 * Compares a measure with one of its aims, as one row in the tables.
 *
 * @param aim the aim, or null if the measure has none
 * @param ratio the median divided by that of the reference; null if the aim has no reference, or if
 *     the reference was not measured
 */
record Comparison(Measure measure, @Nullable Aim aim, @Nullable Double ratio) {
  /** Returns the name of the reference, or null if there is none. */
  @Nullable String reference() {
    return aim == null ? null : aim.reference();
  }

  /**
   * Returns the value that the target applies to: the ratio, or the median if there is no
   * reference.
   */
  @Nullable Double aimed() {
    if (aim == null) {
      return null;
    }
    return aim.reference() == null ? Double.valueOf(measure.median()) : ratio;
  }

  /**
   * Returns true if the target is reached, or null if there is no target or no value to compare.
   */
  @Nullable Boolean met() {
    Double aimed = aimed();
    return aim == null || aimed == null ? null : Boolean.valueOf(aim.metBy(aimed));
  }

  /** Returns the name of the measure, with the reference if the measure has several aims. */
  String label() {
    return measure.aims().size() > 1 && reference() != null
        ? measure.name + ", of " + reference()
        : measure.name;
  }
}
