package org.readpast.model;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Identifies the application that an engine is part of.
 *
 * @param application the name that the server uses for the application
 * @param module the part of the application that contains the engine, or the application's name if
 *     it has no other parts
 */
public record Owner(String application, String module) {
  /** Separates the parts of a default name; no explicit name contains this character. */
  static final char SEPARATOR = '~';

  /** Limits the length of {@link #name()}. */
  static final int LONGEST = 101;

  private static final int LONGEST_PART = (LONGEST - 1) / 2;
  private static final int HASH = 8;
  private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9._-]");
  private static final Pattern VERSION = Pattern.compile("[-_:]v?\\d+\\.\\d+");

  /**
   * Returns {@code application}, or {@code application~module} if the two differ: up to 101
   * letters, digits and {@code . _ - ~}. If a part has other characters or more than 50 characters,
   * it ends with a hash of the server's name for it, so that different applications have different
   * names.
   */
  public String name() {
    return application.equals(module)
        ? safe(application)
        : safe(application) + SEPARATOR + safe(module);
  }

  /** Completes a name from {@link Names#ofMethod}; returns an explicit name unchanged. */
  public String complete(String name) {
    return Names.isOfMethod(name) ? name() + name : name;
  }

  /**
   * Returns true if the name seems to contain a version, which would differ in the next release.
   */
  public boolean versioned() {
    return VERSION.matcher(application).find() || VERSION.matcher(module).find();
  }

  private static String safe(String name) {
    String safe = UNSAFE.matcher(name).replaceAll("_");
    if (safe.equals(name) && name.length() <= LONGEST_PART) {
      return name;
    }
    String hash =
        UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString().substring(0, HASH);
    return safe.substring(0, Math.min(safe.length(), LONGEST_PART - HASH - 1)) + "-" + hash;
  }
}
