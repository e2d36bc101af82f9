package org.readpast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.readpast.support.CodeBlock;

/** Tests the pictures that the HTML pages of the WAR show in place of diagrams. */
class DiagramPicturesTest {
  private static final Path DOCS = Path.of("docs");

  @Test
  void each_diagram_has_a_picture_of_its_current_source() throws IOException {
    List<Path> pictures = new ArrayList<>();
    for (Path page : files(DOCS, ".md")) {
      int number = 0;
      for (CodeBlock block : CodeBlock.of(page)) {
        if (block.language().equals("mermaid")) {
          Path picture = WrittenPages.picture(page, ++number);
          assertThat(WrittenPages.isDrawnFrom(picture, block.text()))
              .as(picture + " shows " + block + "; run 'npm run draw' in src/dev/diagrams")
              .isTrue();
          pictures.add(picture);
        }
      }
    }
    assertThat(pictures)
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(files(DOCS.resolve("images/diagrams"), ".svg"));
  }

  @Test
  void picture_of_an_earlier_source_is_not_current() {
    Path picture = WrittenPages.picture(Path.of("docs/architecture.md"), 1);
    assertThat(WrittenPages.isDrawnFrom(picture, "stateDiagram-v2\n")).isFalse();
    assertThat(WrittenPages.isDrawnFrom(Path.of("docs/nothing.svg"), "")).isFalse();
  }

  private static List<Path> files(Path directory, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }
}
