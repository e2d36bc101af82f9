package org.readpast.rest.signin;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.CredentialValidationResult.Status;
import jakarta.security.enterprise.identitystore.IdentityStoreHandler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Audit;
import org.readpast.database.Transactions;
import org.readpast.engine.EngineStatus;
import org.readpast.rest.signin.WrongPasswords.Kind;
import org.readpast.rest.signin.WrongPasswords.Milestone;

/** Checks names and passwords, and slows down guessing. */
@ApplicationScoped
public class PasswordCheck {
  private static final System.Logger LOG = System.getLogger(PasswordCheck.class.getName());

  @Inject IdentityStoreHandler stores;
  @Inject ConfiguredUsers configured;
  @Inject Audit audit;
  @Inject Transactions transactions;
  @Inject EngineStatus engine;

  private final WrongPasswords wrongPasswords =
      new WrongPasswords(() -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
  private final RecentLogins recent = new RecentLogins();

  /**
   * Reports the result of a check.
   *
   * @param pause how long to wait before the next attempt, if the password was not checked
   */
  public record Result(CredentialValidationResult validation, Duration pause) {
    private static Result tooMany(Duration pause) {
      return new Result(CredentialValidationResult.NOT_VALIDATED_RESULT, pause);
    }

    public boolean isValid() {
      return validation.getStatus() == Status.VALID;
    }

    public int status() {
      return pause.isZero() ? 401 : 429;
    }

    private long seconds() {
      return pause.plusMillis(999).toSeconds();
    }

    public Map<String, String> headers() {
      return pause.isZero() ? Map.of() : Map.of("Retry-After", Long.toString(seconds()));
    }

    public String detail() {
      return pause.isZero()
          ? "the name or the password is wrong"
          : "too many wrong passwords; wait " + seconds() + " s before you try again";
    }
  }

  /**
   * Checks a name and its password.
   *
   * @param address the source address of the request
   */
  public Result check(UsernamePasswordCredential login, String address) {
    String name = login.getCaller();
    char[] password = login.getPassword().getValue();
    // If a user has signed in from this address before, only wrong passwords for this name from
    // this address delay the user.
    boolean known = recent.knows(place(name, address), password);
    Duration pause = pause(known, name, address);
    if (!pause.isZero()) {
      return Result.tooMany(pause);
    }
    CredentialValidationResult validation =
        WrongPasswords.possible(name)
            ? stores.validate(login)
            : CredentialValidationResult.INVALID_RESULT;
    boolean valid = validation.getStatus() == Status.VALID;
    if (known && valid) {
      return new Result(validation, Duration.ZERO);
    }
    int wrongBefore = 0;
    List<Milestone> milestones = List.of();
    // The attempt is checked and counted under one lock, so that concurrent requests cannot try
    // more passwords than sequential ones.
    synchronized (wrongPasswords) {
      pause = pause(known, name, address);
      if (!pause.isZero()) {
        return Result.tooMany(pause);
      }
      if (valid) {
        recent.keep(place(name, address), password);
        wrongBefore = wrongPasswords.right(name, address);
      } else {
        milestones = wrongPasswords.wrong(name, address);
      }
    }
    if (wrongBefore >= Kind.NAME_FROM_ADDRESS.free) {
      keep(name, "sign-in.succeed", name, Map.of("wrong", wrongBefore, "address", address));
    }
    milestones.forEach(milestone -> log(milestone, name, address));
    return new Result(validation, Duration.ZERO);
  }

  private static String place(String name, String address) {
    return name + "\0" + address;
  }

  private Duration pause(boolean known, String name, String address) {
    return known
        ? wrongPasswords.pause(Kind.NAME_FROM_ADDRESS, name, address)
        : wrongPasswords.pause(name, address);
  }

  private void log(Milestone milestone, String name, String address) {
    boolean named = milestone.kind() != Kind.ADDRESS;
    if (named && !(WrongPasswords.possible(name) && configured.knows(name))) {
      // Unknown names are not logged, because users sometimes enter their password as the name;
      // addresses have separate milestones.
      return;
    }
    boolean placed = milestone.kind() != Kind.NAME;
    LOG.log(
        Level.WARNING,
        "READPAST-0415 {0} wrong passwords{1}{2}: further attempts must wait for up to {3} s",
        Integer.toString(milestone.wrong()),
        named ? " for '" + name + "'" : "",
        placed ? " from " + address : "",
        Long.toString(milestone.kind().longest.toSeconds()));
    Map<String, Object> detail =
        placed
            ? Map.of("wrong", milestone.wrong(), "address", address)
            : Map.of("wrong", milestone.wrong());
    keep("(nobody)", "sign-in.fail", named ? name : null, detail);
  }

  private void keep(String who, String action, @Nullable String target, Map<String, ?> detail) {
    try {
      audit.as(who, () -> transactions.requiresNew(() -> audit.did(action, target, detail)));
    } catch (RuntimeException e) {
      engine.logFailure(
          LOG,
          Level.WARNING,
          "READPAST-0416 the audit entry "
              + action
              + " about a sign-in could not be stored, and is lost; the sign-in itself is not"
              + " affected",
          e);
    }
  }
}
