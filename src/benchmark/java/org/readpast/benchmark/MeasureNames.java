package org.readpast.benchmark;

import java.util.Set;
import org.readpast.benchmark.Chart.Kind;

/**
 * Defines the naming scheme of measures: {@code raw: ...} is the limit of PostgreSQL itself, {@code
 * PEER: ...} is another queue, and a name without a colon is Readpast.
 */
final class MeasureNames {
  static final String DRAIN = "drain";
  static final String SINGLY = "enqueue singly";
  static final String SINGLY_ALONE = SINGLY + ", without a transaction";
  static final String IN_BULK = "enqueue in bulk";
  static final String START_P50 = "enqueue to start, p50";
  static final String START_P99 = "enqueue to start, p99";
  static final String P50 = ", p50";
  static final String P99 = ", p99";

  private static final String RAW = "raw: ";

  /**
   * Names the measures that process a backlog. Readpast has several drain rates, and other rates
   * that measure something else.
   */
  private static final Set<String> DRAINS =
      Set.of(
          "raw: claim 100, delete 100",
          "raw: select, delete, commit",
          "raw: lease 100, delete each",
          "leased",
          "leased, history kept",
          "transactional",
          "transactional, history kept",
          "transactional, up to 10 jobs per transaction");

  private MeasureNames() {}

  static Kind kind(String name) {
    return name.startsWith(RAW) ? Kind.CEILING : name.contains(": ") ? Kind.PEER : Kind.OWN;
  }

  static boolean isDrain(String name) {
    return DRAINS.contains(name) || name.endsWith(": " + DRAIN);
  }

  static boolean isEnqueueSingly(String name) {
    return name.equals("raw: insert, commit")
        || name.equals(SINGLY_ALONE)
        || isOrEndsWith(name, SINGLY);
  }

  static boolean isEnqueueInBulk(String name) {
    return name.equals("raw: insert from arrays") || isOrEndsWith(name, IN_BULK);
  }

  private static boolean isOrEndsWith(String name, String what) {
    return name.equals(what) || name.endsWith(": " + what);
  }

  /**
   * Returns the product, followed by the variant for Readpast and the database. The name of the
   * measure is already in the title of the chart.
   */
  static String label(String name) {
    String what = name.replaceFirst(", p(50|99)$", "");
    return switch (kind(name)) {
      case OWN -> "Readpast: " + what;
      case CEILING -> "PostgreSQL: " + what.substring(RAW.length());
      default -> peer(name);
    };
  }

  /** Returns the name before the colon. */
  static String peer(String name) {
    return name.substring(0, name.indexOf(": "));
  }
}
