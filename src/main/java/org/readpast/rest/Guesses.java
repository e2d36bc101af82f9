package org.readpast.rest;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Counts wrong passwords, and makes whoever has given too many wait before each other one, twice as
 * long each time. Counted are those for a name from an address, which is somebody who guesses or
 * who has forgotten; and, with more patience, all from an address and all for a name, for who
 * guesses many names or from many addresses. What was refused unheard is not counted, so that
 * nobody is kept out by somebody else for longer than these waits. In memory of this node.
 */
final class Guesses {
  /** How many wrong passwords for a name from an address make nobody wait. */
  static final int FREE = 5;

  private static final int FREE_OF_MANY = 30;
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final Duration LONGEST_OF_MANY = Duration.ofSeconds(10);
  private static final Duration FORGOTTEN = Duration.ofMinutes(15);
  private static final int MOST = 10_000;

  private final InstantSource clock;
  private final Map<List<String>, Count> counts =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<List<String>, Count> eldest) {
          return size() > MOST;
        }
      };

  /** Wrong ones, and until when (in milliseconds) no other is heard. */
  private record Count(int wrong, long last, long until) {
    private static final Count NONE = new Count(0, 0, 0);
  }

  /** Of whom something is counted, and with how much patience. */
  private record Suspect(List<String> key, int free, Duration longest) {}

  Guesses(InstantSource clock) {
    this.clock = clock;
  }

  private static List<Suspect> suspects(String name, String address) {
    String folded = name.toLowerCase(Locale.ROOT);
    List<Suspect> all = new ArrayList<>();
    all.add(new Suspect(List.of(folded, address), FREE, LONGEST));
    all.add(new Suspect(List.of("", address), FREE_OF_MANY, LONGEST_OF_MANY));
    all.add(new Suspect(List.of(folded, ""), FREE_OF_MANY, LONGEST_OF_MANY));
    return all;
  }

  private Count count(Suspect suspect) {
    Count count = counts.getOrDefault(suspect.key(), Count.NONE);
    return clock.millis() - count.last() < FORGOTTEN.toMillis() ? count : Count.NONE;
  }

  /** How long somebody has to wait before a password is looked at; zero: not at all. */
  synchronized Duration pause(String name, String address) {
    long until = 0;
    for (Suspect suspect : suspects(name, address)) {
      until = Math.max(until, count(suspect).until());
    }
    return Duration.ofMillis(Math.max(0, until - clock.millis()));
  }

  /**
   * Counts a wrong one.
   *
   * @return how many there have been for this name from this address
   */
  synchronized int wrong(String name, String address) {
    long now = clock.millis();
    for (Suspect suspect : suspects(name, address)) {
      int wrong = count(suspect).wrong() + 1;
      int over = wrong - suspect.free();
      long pause =
          over < 0 ? 0 : Math.min(suspect.longest().toMillis(), 1_000L << Math.min(over, 10));
      counts.put(suspect.key(), new Count(wrong, now, now + pause));
    }
    return wrongSoFar(name, address);
  }

  /** How many wrong ones there have been of late for this name from this address. */
  synchronized int wrongSoFar(String name, String address) {
    return count(suspects(name, address).get(0)).wrong();
  }
}
