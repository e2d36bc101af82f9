package org.readpast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.support.CodeBlock;

class JavaSnippetsTest {
  @TempDir private Path classes;

  @Test
  void java_of_every_page_compiles() {
    JavaSnippets snippets = new JavaSnippets();
    List<CodeBlock> blocks = Pages.blocks("java");
    assertThat(blocks).hasSizeGreaterThan(15);
    blocks.forEach(snippets::add);
    assertThat(snippets.errors(classes)).isEmpty();
  }

  @Test
  void what_does_not_exist_is_reported_with_its_page_and_line() {
    JavaSnippets snippets = new JavaSnippets();
    String text = "jobs.enqueue(JobRequest.of(payload).urgency(7));\n";
    snippets.add(new CodeBlock(Path.of("page.md"), 12, "", "", "", "java", text));
    assertThat(snippets.errors(classes)).containsOnlyKeys("page.md:12");
  }
}
