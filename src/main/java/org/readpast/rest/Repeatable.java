package org.readpast.rest;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Supplier;
import org.readpast.admin.IdempotentRequests;

/** Returns the first response to a repeated POST request, if the request has an idempotency key. */
@ApplicationScoped
class Repeatable {
  private static final int LONGEST = 255;

  @Inject IdempotentRequests requests;
  @Inject CallerAccess access;

  Response post(Caller caller, Body body, Supplier<Answer> work) {
    String key = caller.key;
    if (key == null) {
      return work.get().response();
    }
    check(key);
    String target = "POST " + caller.target() + "\n";
    String fingerprint = sha256(target.getBytes(StandardCharsets.UTF_8), body.bytes());
    String kept =
        requests.once(principal(caller), key, fingerprint, access.get(), () -> work.get().kept());
    return Answer.ofKept(kept).response();
  }

  private static void check(String key) {
    boolean printable =
        key.chars().noneMatch(c -> Character.isISOControl(c) || Character.isSurrogate((char) c));
    if (key.isBlank() || key.length() > LONGEST || !printable) {
      throw RequestException.malformed(
          Caller.KEY_HEADER
              + " is not a valid key; give 1 to "
              + LONGEST
              + " printable characters, for example a UUID");
    }
  }

  /**
   * Returns the caller's name in a form that fits the column, whichever identity store has provided
   * it.
   */
  private static String principal(Caller caller) {
    String name = caller.principal();
    return name.length() <= LONGEST ? name : sha256(name.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the hash in hexadecimal digits. */
  static String sha256(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is not available", e);
    }
  }
}
