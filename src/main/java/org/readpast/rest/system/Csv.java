package org.readpast.rest.system;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes lines of CSV by RFC 4180, for programs and for spreadsheets. */
final class Csv {
  private static final Pattern CUT = Pattern.compile("([;\\t]\\s*)(?=[=+\\-@＝＋－＠])");

  private Csv() {}

  /** Returns a line with its line end; null becomes an empty cell. */
  static String line(@Nullable Object... cells) {
    return Stream.of(cells).map(Csv::cell).collect(Collectors.joining(",", "", "\r\n"));
  }

  private static String cell(@Nullable Object value) {
    String text = value == null ? "" : value.toString();
    // A spreadsheet would run a cell that begins with one of the following characters as a formula;
    // some do so even after spaces, or for full-width characters.
    String begin = text.strip();
    boolean formula = !begin.isEmpty() && "=+-@＝＋－＠".indexOf(begin.charAt(0)) >= 0;
    boolean hidden = !text.isEmpty() && "\t\r\n".indexOf(text.charAt(0)) >= 0;
    // In locales with semicolons as list separators, a spreadsheet splits cells there, even quoted
    // ones.
    String within = CUT.matcher(text).replaceAll("$1'");
    String harmless = formula || hidden ? "'" + within : within;
    return '"' + harmless.replace("\"", "\"\"") + '"';
  }
}
