package org.readpast.rest.signin;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.credential.Credential;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStore;
import jakarta.security.enterprise.identitystore.Pbkdf2PasswordHash;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.readpast.model.QueueRoles;

/** Authenticates the users that are defined in the configuration. */
@ApplicationScoped
public class ConfiguredUsers implements IdentityStore {
  private static final System.Logger LOG = System.getLogger(ConfiguredUsers.class.getName());
  // The number of iterations that HashPassword uses.
  private static final String ITERATIONS = "210000";

  @Inject Config config;
  @Inject Pbkdf2PasswordHash hash;
  @Inject ServerRegistry container;
  @Inject QueueRoles roles;

  private final RecentLogins recent = new RecentLogins();
  private Map<String, User> users = Map.of();
  private Set<String> declared = Set.of();
  // Checking an unknown user must take as long as checking a wrong password.
  private final User nobody = new User(hashOfNoPassword(), Set.of());

  /** Reads the configured users once. */
  @PostConstruct
  void read() {
    hash.initialize(Map.of("Pbkdf2PasswordHash.Iterations", ITERATIONS));
    UserConfig found = UserConfig.read(config, hash, roles.names());
    users = found.users();
    declared = found.declared();
    found.faults().forEach(fault -> LOG.log(Level.ERROR, "READPAST-0401 {0}", fault));
    if (found.plain()) {
      LOG.log(
          Level.WARNING,
          "READPAST-0412 readpast.admin.password contains a password in clear text, which"
              + " everyone with access to the configuration can read. Configure"
              + " readpast.admin.password-hash instead; `java -cp readpast-lib.jar"
              + " org.readpast.runtime.HashPassword` computes the hash");
    }
  }

  /** Returns random bytes in the form of a hash: computing a real hash would delay the start. */
  private static String hashOfNoPassword() {
    return String.join(":", "PBKDF2WithHmacSHA256", ITERATIONS, randomBase64(), randomBase64());
  }

  private static String randomBase64() {
    byte[] bytes = new String(RecentLogins.random()).getBytes(StandardCharsets.US_ASCII);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /**
   * Returns true if the configuration has a user with the given name, or with a name that a
   * directory treats as the same.
   */
  public boolean knows(String name) {
    return declared.contains(UserConfig.folded(name));
  }

  /** Returns the form of a name that {@link #knows} compares. */
  public static String folded(String name) {
    return UserConfig.folded(name);
  }

  /** Returns true if the configuration contains no user and does not admit users of the server. */
  public boolean none() {
    return users.isEmpty() && !container.enabled();
  }

  @Override
  public CredentialValidationResult validate(Credential credential) {
    if (!(credential instanceof UsernamePasswordCredential login)) {
      return CredentialValidationResult.NOT_VALIDATED_RESULT;
    }
    String name = login.getCaller();
    char[] password = login.getPassword().getValue();
    User user = users.getOrDefault(name, nobody);
    boolean known = recent.knows(name, password);
    boolean right = known || hash.verify(password, user.passwordHash());
    if (!right || user.roles().isEmpty()) {
      return CredentialValidationResult.INVALID_RESULT;
    }
    recent.keep(name, password);
    return new CredentialValidationResult(name, user.roles());
  }
}
