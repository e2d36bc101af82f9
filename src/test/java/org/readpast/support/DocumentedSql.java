package org.readpast.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the SQL of a documentation page, so that a test can execute it. */
public final class DocumentedSql {
  private static final Pattern BLOCK = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

  private DocumentedSql() {}

  /** Returns the blocks below a heading. */
  public static List<String> blocks(Path page, String heading) {
    try {
      String text = Files.readString(page);
      int start = text.indexOf("\n## " + heading + "\n");
      if (start < 0) {
        throw new IllegalArgumentException(page + " has no heading '" + heading + "'");
      }
      int end = text.indexOf("\n## ", start + 1);
      return BLOCK
          .matcher(text.substring(start, end < 0 ? text.length() : end))
          .results()
          .map(block -> block.group(1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
