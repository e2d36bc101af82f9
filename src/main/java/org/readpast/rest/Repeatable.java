package org.readpast.rest;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Supplier;
import org.readpast.admin.IdempotentRequests;

/** Gives a repeated POST the answer of the first, if it bears an {@code Idempotency-Key}. */
@ApplicationScoped
class Repeatable {
  static final String HEADER = "Idempotency-Key";

  @Inject IdempotentRequests requests;

  /** Who asks, for what, and what else came in the headers. */
  record Request(UriInfo uri, HttpHeaders headers, SecurityContext security, byte[] body) {}

  Response post(Request request, Supplier<Answer> work) {
    String key = request.headers().getHeaderString(HEADER);
    if (key == null) {
      return work.get().response();
    }
    if (key.isBlank()
        || key.length() > 255
        || key.chars()
            .anyMatch(c -> Character.isISOControl(c) || Character.isSurrogate((char) c))) {
      throw RequestException.malformed(
          HEADER + " is not a key; give 1 to 255 characters, for example a UUID");
    }
    String kept =
        requests.once(principal(request), key, fingerprint(request), () -> work.get().kept());
    return Answer.ofKept(kept).response();
  }

  private static String principal(Request request) {
    String name = request.security().getUserPrincipal().getName();
    return name.length() <= 255 ? name : sha256(name.getBytes(StandardCharsets.UTF_8));
  }

  private static String fingerprint(Request request) {
    String path = "POST " + request.uri().getRequestUri().getRawPath() + "\n";
    return sha256(path.getBytes(StandardCharsets.UTF_8), request.body());
  }

  private static String sha256(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
