package org.readpast.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Represents a fenced code block in a page.
 *
 * @param line the number of the line that opens the fence, from 1
 * @param chapter the heading of level 2 above the block, or an empty string
 * @param section the heading of level 3 above the block, within its chapter, or an empty string
 * @param before the last line above the block that is not empty
 * @param language the text after the opening fence, such as {@code java}, or an empty string
 */
public record CodeBlock(
    Path page,
    int line,
    String chapter,
    String section,
    String before,
    String language,
    String text) {
  private static final String FENCE = "```";

  /** Returns all code blocks of a page, in order. */
  public static List<CodeBlock> of(Path page) {
    try {
      return read(page, Files.readAllLines(page));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the strings of the SQL blocks below a heading of level 2. */
  public static List<String> sql(Path page, String chapter) {
    List<String> texts =
        of(page).stream()
            .filter(block -> block.chapter.equals(chapter) && block.language.equals("sql"))
            .map(CodeBlock::text)
            .toList();
    if (texts.isEmpty()) {
      throw new IllegalArgumentException(page + " has no SQL below the heading '" + chapter + "'");
    }
    return texts;
  }

  private static List<CodeBlock> read(Path page, List<String> lines) {
    List<CodeBlock> blocks = new ArrayList<>();
    String chapter = "";
    String section = "";
    String before = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith("## ")) {
        chapter = line.substring(3);
        section = "";
      } else if (line.startsWith("### ")) {
        section = line.substring(4);
      } else if (line.strip().startsWith(FENCE)) {
        int start = i;
        List<String> text = new ArrayList<>();
        for (i++; !lines.get(i).strip().equals(FENCE); i++) {
          text.add(lines.get(i));
        }
        String language = line.strip().substring(FENCE.length());
        blocks.add(
            new CodeBlock(
                page,
                start + 1,
                chapter,
                section,
                before,
                language,
                String.join("\n", text) + "\n"));
      }
      if (!line.isBlank()) {
        before = line;
      }
    }
    return blocks;
  }

  @Override
  public String toString() {
    return page + ":" + line;
  }
}
