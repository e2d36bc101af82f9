package org.readpast.rest;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Counts wrong passwords, and makes whoever has given too many wait before another one is looked
 * at, twice as long each time. Counted are those for a name from an address, which is somebody who
 * guesses or who has forgotten; and, with more patience, all from an address and all for a name,
 * for who guesses many names or from many addresses. In memory of this node.
 */
final class Guesses {
  private static final Duration FORGOTTEN = Duration.ofMinutes(15);
  private static final int MOST = 10_000;
  private static final int LONGEST_NAME = 255;
  private static final int NETWORK_BYTES = 8;

  private final LongSupplier millis;
  private final Map<Suspect, Count> counts =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Suspect, Count> eldest) {
          return size() > MOST;
        }
      };

  /** Of what wrong ones are counted, and with how much patience. */
  enum Kind {
    NAME_FROM_ADDRESS(5, Duration.ofMinutes(1)),
    ADDRESS(30, Duration.ofSeconds(10)),
    NAME(30, Duration.ofSeconds(10));

    final int free;
    private final Duration longest;

    Kind(int free, Duration longest) {
      this.free = free;
      this.longest = longest;
    }
  }

  /**
   * Somebody who may be guessing.
   *
   * @param name folded; empty: any
   * @param address of a network; empty: any
   */
  private record Suspect(Kind kind, String name, String address) {}

  /** Wrong ones, the moment of the last, and the moment until which no other is looked at. */
  private record Count(int wrong, long last, long until) {
    private static final Count NONE = new Count(0, 0, 0);
  }

  /**
   * So many wrong ones now that it is to be told: the first too many, and twice as many each time.
   */
  record Milestone(Kind kind, int wrong) {}

  /**
   * Nobody has guessed yet.
   *
   * @param millis a clock that nobody sets
   */
  Guesses(LongSupplier millis) {
    this.millis = millis;
  }

  /** Whether somebody may be called so: what is longer nobody is, and would take long to fold. */
  static boolean possible(String name) {
    return name.length() <= LONGEST_NAME;
  }

  private static Suspect suspect(Kind kind, String name, String address) {
    // The names would be kept.
    String who = possible(name) ? UserConfig.folded(name) : " ";
    return switch (kind) {
      case NAME_FROM_ADDRESS -> new Suspect(kind, who, network(address));
      case ADDRESS -> new Suspect(kind, "", network(address));
      case NAME -> new Suspect(kind, who, "");
    };
  }

  /** Who has one address of version 6 has all that begin like it. */
  private static String network(String address) {
    if (address.indexOf(':') < 0) {
      return address;
    }
    try {
      byte[] bytes = InetAddress.getByName(address.replaceFirst("%.*", "")).getAddress();
      return HexFormat.of().formatHex(Arrays.copyOf(bytes, Math.min(bytes.length, NETWORK_BYTES)));
    } catch (UnknownHostException e) {
      return address;
    }
  }

  private Count count(Suspect suspect) {
    Count count = counts.getOrDefault(suspect, Count.NONE);
    return millis.getAsLong() - count.last() < FORGOTTEN.toMillis() ? count : Count.NONE;
  }

  /** How long somebody has to wait on account of one kind; zero: not at all. */
  synchronized Duration pause(Kind kind, String name, String address) {
    long until = count(suspect(kind, name, address)).until();
    return Duration.ofMillis(Math.max(0, until - millis.getAsLong()));
  }

  /** The longest of all kinds. */
  synchronized Duration pause(String name, String address) {
    Duration longest = Duration.ZERO;
    for (Kind kind : Kind.values()) {
      Duration pause = pause(kind, name, address);
      longest = pause.compareTo(longest) > 0 ? pause : longest;
    }
    return longest;
  }

  /** Counts a wrong one; gives what is to be told. */
  synchronized List<Milestone> wrong(String name, String address) {
    long now = millis.getAsLong();
    List<Milestone> told = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      Suspect suspect = suspect(kind, name, address);
      int wrong = count(suspect).wrong() + 1;
      int over = wrong - kind.free;
      long pause = over < 0 ? 0 : Math.min(kind.longest.toMillis(), 1_000L << Math.min(over, 10));
      counts.put(suspect, new Count(wrong, now, now + pause));
      if (wrong % kind.free == 0 && Integer.bitCount(wrong / kind.free) == 1) {
        told.add(new Milestone(kind, wrong));
      }
    }
    return told;
  }

  /** Forgets those for this name from this address; gives how many there were. */
  synchronized int right(String name, String address) {
    Suspect suspect = suspect(Kind.NAME_FROM_ADDRESS, name, address);
    int wrong = count(suspect).wrong();
    counts.remove(suspect);
    return wrong;
  }
}
