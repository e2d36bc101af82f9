package org.readpast.benchmark;

import org.jspecify.annotations.Nullable;
import org.readpast.benchmark.Measure.Aim;

/**
 * Compares a measure with one of its aims; a line of the tables.
 *
 * @param aim null: the measure has none
 * @param ratio the median by that of the aim's reference; null: there is no reference, or it was
 *     not measured
 */
record Comparison(Measure measure, @Nullable Aim aim, @Nullable Double ratio) {
  /** Returns the name of the reference, or null if there is none. */
  @Nullable String reference() {
    return aim == null ? null : aim.reference();
  }

  /** Returns what the target is for: the ratio, or the median where there is no reference. */
  @Nullable Double aimed() {
    if (aim == null) {
      return null;
    }
    return aim.reference() == null ? Double.valueOf(measure.median()) : ratio;
  }

  /** Returns true if the target is reached; null if there is none, or nothing to compare with. */
  @Nullable Boolean met() {
    Double aimed = aimed();
    return aim == null || aimed == null ? null : Boolean.valueOf(aim.metBy(aimed));
  }

  /** Returns the measure's name, with the reference where the measure has several aims. */
  String label() {
    return measure.aims().size() > 1 && reference() != null
        ? measure.name + ", of " + reference()
        : measure.name;
  }
}
