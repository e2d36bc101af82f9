package org.readpast.admin;

import java.util.Collection;
import java.util.stream.Collectors;

/** Lists known names in a message, so that the reader can choose one. */
final class KnownNames {
  private static final int MOST = 50;

  private KnownNames() {}

  static String list(String what, Collection<String> names) {
    if (names.isEmpty()) {
      return "no " + what + " exist yet";
    }
    String listed = names.stream().limit(MOST).collect(Collectors.joining(", "));
    int more = names.size() - MOST;
    return "known " + what + ": " + listed + (more > 0 ? " and " + more + " more" : "");
  }
}
