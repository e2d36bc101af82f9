package org.readpast.admin;

import java.util.Collection;
import java.util.stream.Collectors;

/** Lists known names in a message, so that the reader can choose one. */
final class KnownNames {
  /** Limits the number of names in a message. */
  static final int MOST = 50;

  private KnownNames() {}

  static String list(String what, Collection<String> names) {
    if (names.isEmpty()) {
      return "no " + what + " exist yet";
    }
    String listed = names.stream().limit(MOST).collect(Collectors.joining(", "));
    return "known " + what + ": " + listed + (names.size() > MOST ? " and more" : "");
  }
}
