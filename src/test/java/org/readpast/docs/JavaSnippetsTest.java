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
  void every_java_block_compiles() {
    JavaSnippets snippets = new JavaSnippets();
    List<CodeBlock> blocks = Pages.blocks("java");
    assertThat(blocks).hasSizeGreaterThan(15);
    blocks.forEach(snippets::add);
    assertThat(snippets.errors(classes)).isEmpty();
  }

  @Test
  void unknown_java_names_are_reported_with_page_and_line() {
    JavaSnippets snippets = new JavaSnippets();
    String text = "jobs.enqueue(JobRequest.of(payload).urgency(7));\n";
    snippets.add(new CodeBlock(Path.of("page.md"), 12, "", "", "", "java", text));
    assertThat(snippets.errors(classes)).containsOnlyKeys("page.md:12");
  }
}
