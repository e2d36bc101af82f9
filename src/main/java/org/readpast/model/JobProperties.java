package org.readpast.model;

import org.readpast.api.JobRejectedException;

/** Checks the properties of jobs, for every way to enqueue a job. */
public final class JobProperties {
  private static final int LONGEST_NAME = 255;
  private static final int MOST_CHARACTERS = 16_384;

  private JobProperties() {}

  /** Refuses a property that cannot be stored, or that only the engine may set. */
  public static void check(String name, String value) {
    if (name.isEmpty() || name.length() > LONGEST_NAME || !Names.storable(name)) {
      throw new JobRejectedException(
          "property name '"
              + Names.excerpt(name)
              + "' is not allowed; specify 1 to "
              + LONGEST_NAME
              + " characters without NUL or lone surrogates");
    }
    if (name.equals(Rule.THEN)) {
      throw new JobRejectedException(
          "property '" + Rule.THEN + "' is reserved for the engine; use another name");
    }
    if (!Names.storable(value)) {
      throw new JobRejectedException(
          "property '"
              + Names.excerpt(name)
              + "' contains NUL or a lone surrogate, which cannot be stored; encode it");
    }
  }

  /**
   * Refuses properties that are too large.
   *
   * @param json all properties of a job as a JSON object
   */
  public static void checkSize(String json) {
    if (json.length() > MOST_CHARACTERS) {
      throw new JobRejectedException(
          "properties have "
              + json.length()
              + " characters as JSON; specify at most "
              + MOST_CHARACTERS
              + ", and put other data into the payload");
    }
  }
}
