package org.readpast.rest.signin;

import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Remembers recent logins, because Basic authentication sends the password with each request, and
 * password hashes are slow on purpose. This class stores a keyed digest for each user, and the key
 * exists only in the memory of this process.
 */
final class RecentLogins {
  private static final String ALGORITHM = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Map<String, byte[]> digests = new ConcurrentHashMap<>();
  private final SecretKeySpec key;

  RecentLogins() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    key = new SecretKeySpec(bytes, ALGORITHM);
  }

  static char[] random() {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes).toCharArray();
  }

  /** Returns true if the given password is the one that was last accepted. */
  boolean knows(String name, char[] password) {
    // A digest is compared even if none is stored, so that the response time does not reveal which
    // users exist.
    return MessageDigest.isEqual(digests.getOrDefault(name, new byte[32]), digest(name, password));
  }

  void keep(String name, char[] password) {
    digests.put(name, digest(name, password));
  }

  private byte[] digest(String name, char[] password) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(name.getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      mac.update(StandardCharsets.UTF_8.encode(CharBuffer.wrap(password)));
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the digest algorithm is not available: " + ALGORITHM, e);
    }
  }
}
