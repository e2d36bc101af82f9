package org.readpast.model;

import java.util.Comparator;
import org.readpast.api.JobRejectedException;

/**
 * Represents one version of a job type, and defines its stored form: the name alone for version 1,
 * otherwise {@code name@version}. Each version has its own lane, so a claim needs no condition for
 * the versions that a node can read.
 */
public record StoredType(String name, int version) implements Comparable<StoredType> {
  /** Separates the name and the version; names do not contain this character. */
  public static final char SEPARATOR = '@';

  /** Specifies the highest permitted version. */
  public static final int HIGHEST = 9_999;

  private static final Comparator<StoredType> ORDER =
      Comparator.comparing(StoredType::name).thenComparingInt(StoredType::version);

  /** Parses the stored form. */
  public static StoredType of(String stored) {
    int at = stored.indexOf(SEPARATOR);
    return at < 0
        ? new StoredType(stored, 1)
        : new StoredType(stored.substring(0, at), Integer.parseInt(stored.substring(at + 1)));
  }

  /** Returns the name without the version. */
  public static String nameOf(String stored) {
    int at = stored.indexOf(SEPARATOR);
    return at < 0 ? stored : stored.substring(0, at);
  }

  /**
   * Returns true if a string contains a version. If a string contains no version, the job gets the
   * version of the node that enqueues it.
   */
  public static boolean isVersioned(String stated) {
    return stated.indexOf(SEPARATOR) >= 0;
  }

  /** Returns the type as a string that contains its version, even if that is 1. */
  public static String stated(String name, int version) {
    return name + SEPARATOR + version;
  }

  /** Returns the number if it is a valid version, and refuses it otherwise. */
  public static int checkVersion(int version) {
    if (version < 1 || version > HIGHEST) {
      throw new JobRejectedException("version is " + version + "; specify 1 to " + HIGHEST);
    }
    return version;
  }

  /** Returns the stored form. */
  public String stored() {
    return version == 1 ? name : stated(name, version);
  }

  /** Returns the type as it is written in messages. */
  @Override
  public String toString() {
    return version == 1 ? "'" + name + "'" : "'" + name + "' (version " + version + ")";
  }

  @Override
  public int compareTo(StoredType other) {
    return ORDER.compare(this, other);
  }
}
