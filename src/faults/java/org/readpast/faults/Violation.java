package org.readpast.faults;

import java.util.List;

/**
 * An invariant that does not hold.
 *
 * @param invariant such as {@code I4 group}
 * @param at when, in the story's microseconds; the earliest is reported first
 * @param story all that is known of the jobs concerned, in the order of time
 */
public record Violation(String invariant, long at, String what, List<String> story) {
  @Override
  public String toString() {
    return invariant + ": " + what + "\n    " + String.join("\n    ", story);
  }
}
