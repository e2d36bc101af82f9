package org.readpast.rest;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.CredentialValidationResult.Status;
import jakarta.security.enterprise.identitystore.IdentityStoreHandler;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.readpast.admin.Audit;
import org.readpast.store.Transactions;

/** Looks at names and passwords, and lets nobody guess at them in a hurry. */
@ApplicationScoped
public class PasswordCheck {
  private static final System.Logger LOG = System.getLogger(PasswordCheck.class.getName());
  private static final int LOCKS = 64;

  @Inject IdentityStoreHandler stores;
  @Inject ConfiguredUsers configured;
  @Inject Audit audit;
  @Inject Transactions transactions;

  private final Guesses guesses = new Guesses(Clock.systemUTC());
  private final RecentLogins recent = new RecentLogins();
  private final Object[] locks = new Object[LOCKS];

  /** Nobody has guessed yet. */
  public PasswordCheck() {
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new Object();
    }
  }

  /**
   * What came of it.
   *
   * @param pause how long to wait before it is worth trying again, where it was not looked at
   */
  record Result(CredentialValidationResult validation, Duration pause) {
    boolean isValid() {
      return validation.getStatus() == Status.VALID;
    }

    int status() {
      return pause.isZero() ? 401 : 429;
    }

    private long seconds() {
      return pause.plusMillis(999).toSeconds();
    }

    Map<String, String> headers() {
      return pause.isZero() ? Map.of() : Map.of("Retry-After", Long.toString(seconds()));
    }

    String detail() {
      return pause.isZero()
          ? "the name or the password is wrong"
          : "too many wrong passwords; wait " + seconds() + " s before you try again";
    }
  }

  /**
   * Whether somebody is who they say.
   *
   * @param address where the request came from
   */
  Result check(UsernamePasswordCredential login, String address) {
    String name = login.getCaller();
    char[] password = login.getPassword().getValue();
    // Whoever guesses keeps nobody out who has been in since this node started.
    if (recent.knows(name, password)) {
      CredentialValidationResult again = stores.validate(login);
      if (again.getStatus() == Status.VALID) {
        return new Result(again, Duration.ZERO);
      }
    }
    int lock =
        Math.floorMod(31 * name.toLowerCase(Locale.ROOT).hashCode() + address.hashCode(), LOCKS);
    // One after the other, so that many at a time are counted as well.
    synchronized (locks[lock]) {
      Duration pause = guesses.pause(name, address);
      if (!pause.isZero()) {
        return new Result(CredentialValidationResult.NOT_VALIDATED_RESULT, pause);
      }
      Result result = new Result(stores.validate(login), Duration.ZERO);
      if (result.isValid()) {
        recent.keep(name, password);
        came(name, address);
      } else {
        failed(name, address);
      }
      return result;
    }
  }

  private void failed(String name, String address) {
    int wrong = guesses.wrong(name, address);
    // At the first of them, and then at twice as many each time.
    if (wrong % Guesses.FREE == 0 && Integer.bitCount(wrong / Guesses.FREE) == 1) {
      // In place of a name people give their password at times.
      String whose = configured.knows(name) ? "'" + name + "'" : "a name that is not configured";
      LOG.log(
          Level.WARNING,
          "READPAST-0415 {0} wrong passwords for {1} from {2}: who tries more has to wait",
          wrong,
          whose,
          address);
      keep("nobody", "sign-in.fail", configured.knows(name) ? name : "", wrong, address);
    }
  }

  private void came(String name, String address) {
    int wrong = guesses.wrongSoFar(name, address);
    if (wrong >= Guesses.FREE) {
      keep(name, "sign-in.succeed", name, wrong, address);
    }
  }

  private void keep(String who, String action, String name, int wrong, String address) {
    String target = name.isEmpty() ? null : name;
    Map<String, Object> detail = Map.of("wrong", wrong, "address", address);
    try {
      audit.as(who, () -> transactions.fresh(() -> audit.did(action, target, detail)));
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "READPAST-0416 " + action + " could not be kept in the audit", e);
    }
  }
}
