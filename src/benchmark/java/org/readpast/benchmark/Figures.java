package org.readpast.benchmark;

import java.math.BigDecimal;
import java.util.Locale;

/** How numbers are shown to people. */
final class Figures {
  private Figures() {}

  static String show(double value) {
    double size = Math.abs(value);
    // Statements per job are a few hundredths.
    String format = size >= 100 ? "%,.0f" : size >= 0.1 || size == 0 ? "%.2f" : "%.4f";
    return String.format(Locale.ROOT, format, value);
  }

  /** Counts by job have no unit. */
  static String with(String unit, String figure) {
    return unit.isEmpty() ? figure : figure + " " + unit;
  }

  /** As somebody wrote it. */
  static String brief(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
