package org.readpast.benchmark;

import java.math.BigDecimal;
import java.util.Locale;

/** Formats numbers for readers. */
final class Figures {
  private Figures() {}

  static String show(double value) {
    double size = Math.abs(value);
    // Small numbers get more digits, because the numbers of statements per job are only some
    // hundredths.
    String format = size >= 100 ? "%,.0f" : size >= 0.1 || size == 0 ? "%.2f" : "%.4f";
    return String.format(Locale.ROOT, format, value);
  }

  /** Appends the unit, if there is one; counts per job have none. */
  static String with(String unit, String figure) {
    return unit.isEmpty() ? figure : figure + " " + unit;
  }

  /** Returns the number in its shortest form. */
  static String brief(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
