package org.readpast.rest.access;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.readpast.admin.IdempotentRequests;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Body;
import org.readpast.rest.http.RequestException;
import org.readpast.rest.http.Sha256;

/**
 * Executes each POST request in one transaction, and returns the first response to a repeated
 * request that has an idempotency key.
 */
@ApplicationScoped
public class IdempotencyKeys {
  private static final int LONGEST = 255;

  @Inject IdempotentRequests requests;
  @Inject CallerAccess access;

  public Response post(Caller caller, Body body, Supplier<Answer> work) {
    return answer(caller, body, work).response();
  }

  Answer answer(Caller caller, Body body, Supplier<Answer> work) {
    String key = caller.key;
    if (key == null) {
      return requests.execute(work);
    }
    check(key);
    String target = "POST " + caller.target() + "\n";
    String fingerprint = Sha256.hex(target.getBytes(StandardCharsets.UTF_8), body.bytes());
    String kept =
        requests.once(principal(caller), key, fingerprint, access.get(), () -> work.get().kept());
    return Answer.ofKept(kept);
  }

  private static void check(String key) {
    boolean printable =
        key.chars().noneMatch(c -> Character.isISOControl(c) || Character.isSurrogate((char) c));
    if (key.isBlank() || key.length() > LONGEST || !printable) {
      throw RequestException.malformed(
          Caller.KEY_HEADER
              + " is not a valid key; specify 1 to "
              + LONGEST
              + " printable characters, for example a UUID");
    }
  }

  /**
   * Returns the caller's name in a form that fits the column, regardless of the identity store that
   * has provided it.
   */
  private static String principal(Caller caller) {
    String name = caller.principal();
    return name.length() <= LONGEST ? name : Sha256.hex(name.getBytes(StandardCharsets.UTF_8));
  }
}
