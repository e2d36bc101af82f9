package org.readpast.runtime;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Base64.Encoder;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Creates the hash of a password for {@code readpast.user."<name>".password-hash}: {@code java -cp
 * readpast-lib.jar org.readpast.runtime.HashPassword}. The program prompts for the password or
 * reads it from a pipe, so that the password appears neither in a process list nor in a shell's
 * history.
 */
public final class HashPassword {
  private static final String ALGORITHM = "PBKDF2WithHmacSHA256";
  // A sign-in does not always compute all iterations, because users that have signed in are cached
  // for a while.
  private static final int ITERATIONS = 210_000;
  private static final int SALT_BYTES = 32;
  private static final int HASH_BITS = 256;

  private HashPassword() {}

  /** Prints the hash, or prints an error message and exits with status 1. */
  public static void main(String... arguments) throws IOException {
    Console console = System.console();
    char[] password = console == null ? piped() : console.readPassword("Password: ");
    if (password == null || password.length == 0) {
      System.err.println("no password was given; type it, or pipe it in");
      System.exit(1);
    }
    PrintStream out = System.out;
    out.println(of(password));
  }

  private static char[] piped() throws IOException {
    var reader = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
    String line = reader.readLine();
    return line == null ? new char[0] : line.toCharArray();
  }

  /**
   * Returns the hash in the format of Jakarta Security's {@code Pbkdf2PasswordHash}, with a new
   * salt.
   */
  public static String of(char[] password) {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    try {
      byte[] hash =
          SecretKeyFactory.getInstance(ALGORITHM)
              .generateSecret(new PBEKeySpec(password, salt, ITERATIONS, HASH_BITS))
              .getEncoded();
      Encoder base64 = Base64.getEncoder();
      return String.join(
          ":",
          ALGORITHM,
          String.valueOf(ITERATIONS),
          base64.encodeToString(salt),
          base64.encodeToString(hash));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the hash algorithm is not available: " + ALGORITHM, e);
    }
  }
}
