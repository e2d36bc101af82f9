package org.readpast.dev;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/** Generates a password that stays the same between runs, and that only its owner can read. */
final class Secret {
  private static final int BYTES = 15;

  private Secret() {}

  static String keptIn(Path path) {
    try {
      if (Files.exists(path)) {
        return Files.readString(path).strip();
      }
      Files.createDirectories(path.getParent());
      Files.createFile(path);
      restrict(path.toFile());
      var random = new byte[BYTES];
      new SecureRandom().nextBytes(random);
      var password = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
      Files.writeString(path, password + "\n");
      return password;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void restrict(File file) {
    file.setReadable(false, false);
    file.setWritable(false, false);
    file.setReadable(true, true);
    file.setWritable(true, true);
  }
}
