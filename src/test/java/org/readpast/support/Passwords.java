package org.readpast.support;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Hashes passwords with few iterations, because tests send a password with each request. */
public final class Passwords {
  private static final int ITERATIONS = 2048;
  private static final byte[] SALT = "salt of the tests".getBytes(StandardCharsets.US_ASCII);

  private Passwords() {}

  /** Returns a hash in the format of the configuration. */
  public static String hash(String password) {
    try {
      byte[] hash =
          SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
              .generateSecret(new PBEKeySpec(password.toCharArray(), SALT, ITERATIONS, 256))
              .getEncoded();
      Base64.Encoder base64 = Base64.getEncoder();
      return "PBKDF2WithHmacSHA256:%d:%s:%s"
          .formatted(ITERATIONS, base64.encodeToString(SALT), base64.encodeToString(hash));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
