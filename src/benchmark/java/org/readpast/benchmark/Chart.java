package org.readpast.benchmark;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Draws a chart with horizontal bars as SVG, for light and dark screens.
 *
 * <p>Each group has its own scale, and each bar has its figure next to it as text.
 */
record Chart(String title, List<Group> groups) {
  /** Identifies the product that a bar represents, which determines its color. */
  enum Kind {
    OWN,
    CEILING,
    PEER,
    MISSED;

    private String style() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Describes a bar of the chart.
   *
   * @param low the start of the line that shows the spread; equal to {@code high} if there is none
   * @param text the figure as text
   */
  record Bar(String label, double value, double low, double high, String text, Kind kind) {}

  /**
   * Describes a group of bars with a common scale.
   *
   * @param end the end of the scale; longer bars are visibly cut off
   * @param mark the position of a line across the bars, or NaN for none
   */
  record Group(String heading, List<Bar> bars, double end, double mark) {}

  private static final int EDGE = 16;
  private static final int GAP = 10;
  private static final int TITLE = 44;
  private static final int HEADING = 30;
  private static final int ROW = 24;
  private static final int THICK = 14;
  private static final int PLOT = 360;

  /**
   * Specifies the width of a letter at 13 pixels in common sans-serif fonts. The actual font is not
   * known when the chart is drawn.
   */
  private static final double LETTER = 7.2;

  private static final String STYLE =
      """
      text { font: 13px system-ui, sans-serif; fill: #1f2328 }
      .title { font-size: 17px; font-weight: 600 }
      .heading { font-weight: 600 }
      .label { text-anchor: end }
      .paper { fill: #ffffff }
      .track { fill: #f0f2f4 }
      .own { fill: #0b62c4 }
      .ceiling { fill: #818b96 }
      .peer { fill: #b3bcc6 }
      .missed { fill: #c4441c }
      .range, .mark { stroke: #1f2328; stroke-width: 1.5 }
      .cut { stroke: #ffffff; stroke-width: 3 }
      @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .paper { fill: #0d1117 }
      .track { fill: #1c2128 }
      .own { fill: #4a9bff }
      .ceiling { fill: #8b949e }
      .peer { fill: #57606a }
      .missed { fill: #f0813f }
      .range, .mark { stroke: #e6edf3 }
      .cut { stroke: #0d1117 }
      }
      """;

  String svg() {
    int left = EDGE + columnWidth(bars().map(Bar::label).toList()) + GAP;
    int width = left + PLOT + GAP + columnWidth(bars().map(Bar::text).toList()) + EDGE;
    int height = TITLE + groups.stream().mapToInt(Chart::height).sum() + EDGE;
    var svg = new StringBuilder();
    svg.append(
        ("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"title figures\">\n")
            .formatted(width, height, width, height));
    svg.append("<title id=\"title\">").append(escape(title)).append("</title>\n");
    svg.append("<desc id=\"figures\">").append(escape(figures())).append("</desc>\n");
    svg.append("<style>\n").append(STYLE).append("</style>\n");
    svg.append("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
    text(svg, "title", EDGE, 28, title);
    int top = TITLE;
    for (Group group : groups) {
      draw(svg, group, left, top);
      top += height(group);
    }
    return svg.append("</svg>\n").toString();
  }

  private static void draw(StringBuilder svg, Group group, int left, int top) {
    text(svg, "heading", EDGE, top + 19, group.heading());
    int y = top + HEADING;
    for (Bar bar : group.bars()) {
      draw(svg, bar, group.end(), left, y);
      y += ROW;
    }
    if (!Double.isNaN(group.mark())) {
      double x = left + along(group.mark(), group.end());
      line(svg, "mark", x, top + HEADING - 4, x, y);
    }
  }

  private static void draw(StringBuilder svg, Bar bar, double end, int left, int y) {
    int upper = y + (ROW - THICK) / 2;
    int lower = upper + THICK;
    int middle = upper + THICK / 2;
    text(svg, "label", left - GAP, middle + 5, bar.label());
    rectangle(svg, "track", left, upper, PLOT);
    // A bar that is too short to be visible would look like a missing bar.
    rectangle(svg, bar.kind().style(), left, upper, Math.max(1, along(bar.value(), end)));
    if (bar.value() > end) {
      line(svg, "cut", left + PLOT - 16, lower + 1, left + PLOT - 10, upper - 1);
    } else if (bar.high() > bar.low()) {
      line(
          svg,
          "range",
          left + along(bar.low(), end),
          middle,
          left + along(bar.high(), end),
          middle);
    }
    text(svg, "figure", left + PLOT + GAP, middle + 5, bar.text());
  }

  /** Returns the number of pixels from the left edge of the plot. */
  private static double along(double value, double end) {
    return end > 0 ? PLOT * Math.max(0, Math.min(value, end)) / end : 0;
  }

  private static int height(Group group) {
    return HEADING + group.bars().size() * ROW;
  }

  private static int columnWidth(List<String> texts) {
    int longest = texts.stream().mapToInt(String::length).max().orElse(0);
    return (int) Math.ceil(longest * LETTER);
  }

  private Stream<Bar> bars() {
    return groups.stream().flatMap(group -> group.bars().stream());
  }

  /** Returns all figures as text, for screen readers. */
  private String figures() {
    return groups.stream()
        .map(
            group ->
                group.bars().stream()
                    .map(bar -> bar.label() + ": " + bar.text())
                    .collect(Collectors.joining("; ", group.heading() + ": ", ".")))
        .collect(Collectors.joining(" "));
  }

  private static void rectangle(StringBuilder svg, String style, int x, int y, double width) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
            style,
            x,
            y,
            width,
            THICK));
  }

  private static void line(StringBuilder svg, String style, double x1, int y1, double x2, int y2) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n",
            style,
            x1,
            y1,
            x2,
            y2));
  }

  private static void text(StringBuilder svg, String style, int x, int y, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n",
            style,
            x,
            y,
            escape(text)));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
