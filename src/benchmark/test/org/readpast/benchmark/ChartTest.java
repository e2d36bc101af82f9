package org.readpast.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.readpast.benchmark.Chart.Bar;
import org.readpast.benchmark.Chart.Group;
import org.readpast.benchmark.Chart.Kind;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class ChartTest {
  @Test
  void text_is_escaped() throws Exception {
    Document svg = drawn(100, Double.NaN, bar("a < b & \"c\"", 50));
    assertThat(with(svg, "text", "label").get(0).getTextContent()).isEqualTo("a < b & \"c\"");
  }

  @Test
  void the_title_and_all_figures_can_be_read_aloud() throws Exception {
    Document svg = drawn(100, Double.NaN, bar("one", 50), bar("two", 20));
    assertThat(svg.getDocumentElement().getAttribute("aria-labelledby")).isEqualTo("title figures");
    assertThat(svg.getElementsByTagName("title").item(0).getTextContent()).isEqualTo("A title");
    assertThat(svg.getElementsByTagName("desc").item(0).getTextContent())
        .isEqualTo("A heading: one: 50.0 in words; two: 20.0 in words.");
  }

  @Test
  void bars_are_as_long_as_their_values() throws Exception {
    Document svg = drawn(100, Double.NaN, bar("one", 100), bar("half", 50));
    List<Element> bars = with(svg, "rect", "own");
    assertThat(number(bars.get(1), "width") * 2).isEqualTo(number(bars.get(0), "width"));
  }

  @Test
  void a_bar_never_vanishes() throws Exception {
    Document svg = drawn(1_000_000, Double.NaN, bar("tiny", 1));
    assertThat(number(with(svg, "rect", "own").get(0), "width")).isEqualTo(1);
  }

  @Test
  void bar_longer_than_the_scale_is_cut() throws Exception {
    Document svg = drawn(100, Double.NaN, bar("long", 5_000), bar("full", 100));
    List<Element> bars = with(svg, "rect", "own");
    assertThat(number(bars.get(0), "width")).isEqualTo(number(bars.get(1), "width"));
    assertThat(with(svg, "line", "cut")).hasSize(1);
  }

  @Test
  void mark_is_at_the_end_of_a_bar_of_equal_value() throws Exception {
    Document svg = drawn(2, 1, bar("met exactly", 1));
    Element bar = with(svg, "rect", "own").get(0);
    assertThat(number(with(svg, "line", "mark").get(0), "x1"))
        .isEqualTo(number(bar, "x") + number(bar, "width"));
  }

  @Test
  void the_spread_is_a_line_from_lowest_to_highest() throws Exception {
    Document svg = drawn(100, Double.NaN, new Bar("one", 50, 25, 75, "50", Kind.OWN));
    Element bar = with(svg, "rect", "own").get(0);
    Element range = with(svg, "line", "range").get(0);
    assertThat(number(range, "x1")).isEqualTo(number(bar, "x") + number(bar, "width") / 2);
    assertThat(number(range, "x2")).isEqualTo(number(bar, "x") + number(bar, "width") * 1.5);
  }

  @Test
  void nothing_is_drawn_outside_the_picture() throws Exception {
    Document svg = drawn(100, 50, bar("one", 5_000), bar("two", 100), bar("three", 0));
    double width = number(svg.getDocumentElement(), "width");
    double height = number(svg.getDocumentElement(), "height");
    for (Element text : all(svg, "text")) {
      assertThat(number(text, "x")).isBetween(0.0, width);
      assertThat(number(text, "y")).isBetween(0.0, height);
    }
    for (Element bar : with(svg, "rect", "own")) {
      assertThat(number(bar, "x") + number(bar, "width")).isLessThan(width);
      assertThat(number(bar, "y") + number(bar, "height")).isLessThan(height);
    }
  }

  private static Bar bar(String label, double value) {
    return new Bar(label, value, value, value, value + " in words", Kind.OWN);
  }

  private static Document drawn(double end, double mark, Bar... bars) throws Exception {
    var chart = new Chart("A title", List.of(new Group("A heading", List.of(bars), end, mark)));
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(chart.svg().getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Element> with(Document svg, String tag, String style) {
    return all(svg, tag).stream().filter(e -> e.getAttribute("class").equals(style)).toList();
  }

  private static List<Element> all(Document svg, String tag) {
    var found = svg.getElementsByTagName(tag);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }
}
