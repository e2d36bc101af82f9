package org.readpast.rest;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes lines as RFC 4180 has them, for programs and for spreadsheets. */
final class Csv {
  private static final Pattern CUT = Pattern.compile("([;\\t]\\s*)(?=[=+\\-@＝＋－＠])");

  private Csv() {}

  /** A line with its end; null is an empty cell. */
  static String line(@Nullable Object... cells) {
    return Stream.of(cells).map(Csv::cell).collect(Collectors.joining(",", "", "\r\n"));
  }

  private static String cell(@Nullable Object value) {
    String text = value == null ? "" : value.toString();
    // A spreadsheet would take it for a formula, and run it; some do behind spaces, or in full
    // width.
    String begin = text.strip();
    boolean formula = !begin.isEmpty() && "=+-@＝＋－＠".indexOf(begin.charAt(0)) >= 0;
    boolean hidden = !text.isEmpty() && "\t\r\n".indexOf(text.charAt(0)) >= 0;
    // Where lists have semicolons between them a spreadsheet cuts cells there, quoted or not.
    String within = CUT.matcher(text).replaceAll("$1'");
    String harmless = formula || hidden ? "'" + within : within;
    return '"' + harmless.replace("\"", "\"\"") + '"';
  }
}
