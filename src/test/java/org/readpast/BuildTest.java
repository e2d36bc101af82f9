package org.readpast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Tests that the pom contains only what docs/development/build.md explains, and that one version is
 * named everywhere.
 */
class BuildTest {
  private static final Path EXPLAINED = Path.of("docs/development/build.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]+`) \\|");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");
  private static final Pattern TEST = Pattern.compile("(?<=[/(|])[A-Z][A-Za-z]+");
  private static final Pattern OF_READPAST =
      Pattern.compile(
          "<groupId>org\\.readpast</groupId>\\s*<artifactId>readpast(?:-bom)?</artifactId>\\s*"
              + "<version>(\\d[^<]*)</version>|<readpast\\.version>([^<]+)<");

  private static Document pom() throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse("pom.xml");
  }

  private static List<Element> elements(String path) throws Exception {
    var found =
        (NodeList)
            XPathFactory.newInstance().newXPath().evaluate(path, pom(), XPathConstants.NODESET);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  private static String child(Element element, String name) {
    NodeList children = element.getElementsByTagName(name);
    return children.getLength() == 0 ? "" : children.item(0).getTextContent();
  }

  /** Returns the names in the first column of the table below a heading. */
  private static Set<String> rows(String heading) throws IOException {
    String section = Files.readString(EXPLAINED).split("(?m)^## " + heading + "$", 2)[1];
    return ROW.matcher(section.split("(?m)^## ", 2)[0])
        .results()
        .flatMap(row -> NAME.matcher(row.group(1)).results())
        .map(name -> name.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void every_plugin_is_explained_and_every_explained_plugin_is_used() throws Exception {
    Set<String> plugins = new TreeSet<>();
    elements("//plugin").forEach(plugin -> plugins.add(child(plugin, "artifactId")));
    assertThat(rows("Plugins")).containsExactlyElementsOf(plugins);
  }

  @Test
  void every_dependency_is_explained_and_every_explained_dependency_is_used() throws Exception {
    Set<String> dependencies = new TreeSet<>();
    for (Element one :
        elements(
            "//dependencies[not(ancestor::plugin)]/dependency | //annotationProcessorPaths/path")) {
      dependencies.add(child(one, "groupId") + ":" + child(one, "artifactId"));
    }
    assertThat(rows("Dependencies")).containsExactlyElementsOf(dependencies);
  }

  /** A renamed test would otherwise run where it is excluded, or nowhere. */
  @Test
  void every_test_that_an_expression_names_exists() throws Exception {
    Set<String> tests = new TreeSet<>();
    for (String folder : List.of("src/test", "src/faults")) {
      try (Stream<Path> files = Files.walk(Path.of(folder))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith("IT.java"))
            .forEach(tests::add);
      }
    }
    List<String> named =
        elements("//properties/*").stream()
            .map(Element::getTextContent)
            .filter(value -> value.startsWith("%regex"))
            .flatMap(value -> TEST.matcher(value).results())
            .map(found -> found.group().replaceFirst("IT$", ""))
            .toList();
    assertThat(named).hasSizeGreaterThan(20);
    assertThat(named)
        .allSatisfy(name -> assertThat(tests).as(name).anyMatch(test -> test.startsWith(name)));
  }

  @Test
  void every_profile_is_explained_and_every_explained_profile_exists() throws Exception {
    Set<String> profiles = new TreeSet<>();
    elements("//profile").forEach(profile -> profiles.add(child(profile, "id")));
    assertThat(rows("Profiles")).containsExactlyElementsOf(profiles);
  }

  @Test
  void examples_bom_and_documents_name_the_version_of_the_pom() throws Exception {
    Map<String, String> named = new TreeMap<>();
    try (Stream<Path> files =
        Stream.of("docs", "src/examples", "src/bom", "README.md")
            .flatMap(root -> walk(Path.of(root)))) {
      for (Path file : files.filter(one -> one.toString().matches(".*\\.(md|xml|pom)")).toList()) {
        OF_READPAST
            .matcher(Files.readString(file))
            .results()
            .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
            .forEach(version -> named.put(file.toString(), version));
      }
    }
    named.put(
        "openapi.yaml",
        Files.readString(Path.of("src/main/webapp/WEB-INF/classes/META-INF/openapi.yaml"))
            .split("\n  version: ", 2)[1]
            .split("\n", 2)[0]);
    String version = elements("/project/version").get(0).getTextContent();
    assertThat(named)
        .hasSizeGreaterThan(7)
        .allSatisfy((file, one) -> assertThat(one).isEqualTo(version));
    assertThat(Files.readString(Path.of("CHANGELOG.md"))).contains("## [" + version + "]");
  }

  private static Stream<Path> walk(Path root) {
    try {
      return Files.walk(root)
          .filter(Files::isRegularFile)
          .filter(one -> !one.toString().contains("/target/"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
