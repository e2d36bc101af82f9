package org.readpast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.readpast.support.CodeBlock;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * Tests that XML can be parsed, and names the artifacts and the features with which the build is
 * tested.
 */
class XmlSnippetsTest {
  /** Lists the languages that a page may show, each with the test that checks it. */
  private static final Set<String> LANGUAGES =
      Set.of(
          "java", // JavaSnippetsTest
          "xml", // this class
          "sql", // SqlSnippetsIT
          "properties", // ConfigurationKeysTest
          "sh", // ShellSnippetsTest
          "asadmin", // GettingStartedIT
          "mermaid", // ArchitecturePageTest
          "text"); // the output of a program, which no test checks

  private static final Pattern ARTIFACT =
      Pattern.compile("-Dartifact=([\\w.-]+):([\\w.-]+):([\\w.-]+)");

  /** Lists the features of Open Liberty that only tests enable, each with its test. */
  private static final Map<String, String> FEATURES_OF_TESTS =
      Map.of(
          "restConnector-2.0",
          "monitoring/ManagementBeansIT",
          "webProfile-10.0",
          "acceptance/GettingStartedIT");

  @Test
  void every_block_has_a_language_that_a_test_reads() {
    List<CodeBlock> others =
        Pages.all().stream()
            .flatMap(page -> CodeBlock.of(page).stream())
            .filter(block -> !LANGUAGES.contains(block.language()))
            .toList();
    assertThat(others).isEmpty();
  }

  @Test
  void artifacts_have_the_versions_of_the_build() throws Exception {
    Map<String, String> built =
        versions(
            parse(
                Pages.text(Path.of("pom.xml"))
                    .replace("${postgresql.system}-${postgresql.processor}", "linux-amd64")));
    built.put("org.readpast:readpast", built.get(":readpast"));
    List<CodeBlock> blocks = Pages.blocks("xml");
    assertThat(blocks).hasSizeGreaterThan(5);
    for (CodeBlock block : blocks) {
      Map<String, String> shown = versions(parse(block.text()));
      shown.keySet().removeIf(artifact -> artifact.startsWith("org.acme:"));
      assertThat(built).as(block.toString()).containsAllEntriesOf(shown);
    }
    for (CodeBlock block : Pages.blocks("sh")) {
      ARTIFACT
          .matcher(block.text())
          .results()
          .forEach(
              found ->
                  assertThat(built)
                      .as(block.toString())
                      .containsEntry(found.group(1) + ":" + found.group(2), found.group(3)));
    }
  }

  @Test
  void server_features_match_the_tested_configurations() throws Exception {
    String tested = "";
    for (String file : List.of("server.xml", "production.xml", "remote-ejb.xml", "xa.xml")) {
      tested += Pages.text(Path.of("server-config/liberty", file));
    }
    tested += Pages.text(Path.of("src/test/java/org/readpast/support/LibertyServer.java"));
    for (CodeBlock block : Pages.blocks("xml")) {
      for (String feature : texts(parse(block.text()), "feature")) {
        assertThat(tested.contains(">" + feature + "<") || FEATURES_OF_TESTS.containsKey(feature))
            .as("%s: feature %s", block, feature)
            .isTrue();
      }
    }
    FEATURES_OF_TESTS
        .values()
        .forEach(
            test ->
                assertThat(Path.of("src/test/java/org/readpast/server", test + ".java")).exists());
  }

  private static Document parse(String text)
      throws IOException, SAXException, ParserConfigurationException {
    String xml = text.startsWith("<?xml") ? text.substring(text.indexOf("?>") + 2) : text;
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader("<fragment>" + xml + "</fragment>")));
  }

  /** Returns the version of each artifact that has one, with properties resolved. */
  private static Map<String, String> versions(Document document) {
    Map<String, String> properties = new HashMap<>();
    NodeList sets = document.getElementsByTagName("properties");
    for (int i = 0; i < sets.getLength(); i++) {
      for (Element property : children((Element) sets.item(i))) {
        properties.putIfAbsent(property.getTagName(), property.getTextContent());
      }
    }
    Map<String, String> versions = new HashMap<>();
    NodeList all = document.getElementsByTagName("version");
    for (int i = 0; i < all.getLength(); i++) {
      Element owner = (Element) all.item(i).getParentNode();
      String version = all.item(i).getTextContent();
      if (version.startsWith("${")) {
        version = properties.get(version.substring(2, version.length() - 1));
      }
      String group = text(owner, "groupId", "org.apache.maven.plugins");
      String artifact = text(owner, "artifactId", "");
      versions.putIfAbsent(
          artifact.equals("readpast") ? ":readpast" : group + ":" + artifact, version);
    }
    for (String artifact : texts(document, "artifact")) {
      String[] parts = artifact.split(":");
      versions.put(parts[0] + ":" + parts[1], parts[2]);
    }
    return versions;
  }

  private static String text(Element owner, String name, String otherwise) {
    return children(owner).stream()
        .filter(child -> child.getTagName().equals(name))
        .map(Node::getTextContent)
        .findFirst()
        .orElse(otherwise);
  }

  private static List<Element> children(Element parent) {
    List<Element> children = new ArrayList<>();
    for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }

  private static List<String> texts(Document document, String name) {
    List<String> texts = new ArrayList<>();
    NodeList nodes = document.getElementsByTagName(name);
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }
}
