package org.readpast.faults;

import java.util.List;

/**
 * Describes a violation of an invariant.
 *
 * @param invariant the name of the invariant, such as {@code I4 group}
 * @param at the time in microseconds of the story; the earliest violation is reported first
 * @param story all that is known about the affected jobs, ordered by time
 */
public record Violation(String invariant, long at, String what, List<String> story) {
  @Override
  public String toString() {
    return invariant + ": " + what + "\n    " + String.join("\n    ", story);
  }
}
