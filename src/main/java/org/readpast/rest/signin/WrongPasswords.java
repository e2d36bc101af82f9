package org.readpast.rest.signin;

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
 * Counts wrong passwords, to slow down guessing. After too many wrong passwords, further passwords
 * are not checked for a while, and each further wrong password doubles that time, up to a maximum.
 * Wrong passwords are counted for each combination of a name and an address, which covers a user
 * that guesses or has forgotten the password. Wrong passwords are also counted, with higher limits,
 * for each address across all names and for each name across all addresses. The counts are held in
 * this node's memory.
 */
final class WrongPasswords {
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

  /** Lists the keys by which wrong passwords are counted, with the limit of each key. */
  enum Kind {
    NAME_FROM_ADDRESS(5, Duration.ofMinutes(1)),
    ADDRESS(30, Duration.ofSeconds(10)),
    NAME(30, Duration.ofSeconds(10));

    final int free;
    final Duration longest;

    Kind(int free, Duration longest) {
      this.free = free;
      this.longest = longest;
    }
  }

  /**
   * Identifies a possible source of guesses.
   *
   * @param name the name in case-folded form; empty for any name
   * @param address the network of the address; empty for any address
   */
  private record Suspect(Kind kind, String name, String address) {}

  /**
   * Holds the number of wrong passwords, the time of the last one, and the time until which no
   * further password is checked.
   */
  private record Count(int wrong, long last, long until) {
    private static final Count NONE = new Count(0, 0, 0);
  }

  /**
   * Represents a number of wrong passwords that is reported: the first limit, and each doubling of
   * it.
   */
  record Milestone(Kind kind, int wrong) {}

  /**
   * Creates an empty count.
   *
   * @param millis a monotonic clock in milliseconds
   */
  WrongPasswords(LongSupplier millis) {
    this.millis = millis;
  }

  /**
   * Returns true if the name is short enough to belong to a user. Longer names do not exist, and
   * case folding them would take a long time.
   */
  static boolean possible(String name) {
    return name.length() <= LONGEST_NAME;
  }

  private static Suspect suspect(Kind kind, String name, String address) {
    // Longer names are not stored, to limit the memory that an attacker can use.
    String who = possible(name) ? UserConfig.folded(name) : " ";
    return switch (kind) {
      case NAME_FROM_ADDRESS -> new Suspect(kind, who, network(address));
      case ADDRESS -> new Suspect(kind, "", network(address));
      case NAME -> new Suspect(kind, who, "");
    };
  }

  /**
   * Returns the network of an address, because a client with one IPv6 address has all addresses
   * with its prefix.
   */
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

  /** Returns the remaining wait time for one kind of count, or zero if there is none. */
  synchronized Duration pause(Kind kind, String name, String address) {
    long until = count(suspect(kind, name, address)).until();
    return Duration.ofMillis(Math.max(0, until - millis.getAsLong()));
  }

  /** Returns the longest wait time of all kinds of counts. */
  synchronized Duration pause(String name, String address) {
    Duration longest = Duration.ZERO;
    for (Kind kind : Kind.values()) {
      Duration pause = pause(kind, name, address);
      longest = pause.compareTo(longest) > 0 ? pause : longest;
    }
    return longest;
  }

  /** Counts a wrong password, and returns the milestones to report. */
  synchronized List<Milestone> wrong(String name, String address) {
    long now = millis.getAsLong();
    List<Milestone> milestones = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      Suspect suspect = suspect(kind, name, address);
      int wrong = count(suspect).wrong() + 1;
      int over = wrong - kind.free;
      long pause = over < 0 ? 0 : Math.min(kind.longest.toMillis(), 1_000L << Math.min(over, 10));
      counts.put(suspect, new Count(wrong, now, now + pause));
      if (wrong % kind.free == 0 && Integer.bitCount(wrong / kind.free) == 1) {
        milestones.add(new Milestone(kind, wrong));
      }
    }
    return milestones;
  }

  /** Resets the count for this name from this address, and returns the previous count. */
  synchronized int right(String name, String address) {
    Suspect suspect = suspect(Kind.NAME_FROM_ADDRESS, name, address);
    int wrong = count(suspect).wrong();
    counts.remove(suspect);
    return wrong;
  }
}
