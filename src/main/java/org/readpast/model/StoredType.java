package org.readpast.model;

import java.util.Comparator;
import org.readpast.api.JobRejectedException;

/**
 * A job type in one version, and the text that is stored for it: the name alone in version 1, else
 * {@code name@version}. Each version is a lane of its own, so that a claim needs no condition for
 * the versions that a node can read.
 */
public record StoredType(String name, int version) implements Comparable<StoredType> {
  /** Parts the two; no name has it in it. */
  public static final char SEPARATOR = '@';

  /** The highest version. */
  public static final int HIGHEST = 9_999;

  private static final Comparator<StoredType> ORDER =
      Comparator.comparing(StoredType::name).thenComparingInt(StoredType::version);

  /** Reads what is stored. */
  public static StoredType of(String stored) {
    int at = stored.indexOf(SEPARATOR);
    return at < 0
        ? new StoredType(stored, 1)
        : new StoredType(stored.substring(0, at), Integer.parseInt(stored.substring(at + 1)));
  }

  /** Returns the name alone. */
  public static String nameOf(String stored) {
    int at = stored.indexOf(SEPARATOR);
    return at < 0 ? stored : stored.substring(0, at);
  }

  /** Returns true if a text states a version: one that is enqueued without takes the node's. */
  public static boolean isVersioned(String stated) {
    return stated.indexOf(SEPARATOR) >= 0;
  }

  /** A type with a version that is stated, also if that is 1. */
  public static String stated(String name, int version) {
    return name + SEPARATOR + version;
  }

  /** Refuses a version that none can have. */
  public static int checkVersion(int version) {
    if (version < 1 || version > HIGHEST) {
      throw new JobRejectedException("version is " + version + "; give 1 to " + HIGHEST);
    }
    return version;
  }

  /** What is stored. */
  public String stored() {
    return version == 1 ? name : stated(name, version);
  }

  /** As messages name it. */
  @Override
  public String toString() {
    return version == 1 ? "'" + name + "'" : "'" + name + "' (version " + version + ")";
  }

  @Override
  public int compareTo(StoredType other) {
    return ORDER.compare(this, other);
  }
}
