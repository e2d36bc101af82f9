package org.readpast.rest;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.security.enterprise.credential.Credential;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStore;
import jakarta.security.enterprise.identitystore.Pbkdf2PasswordHash;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.readpast.model.QueueRoles;

/** Authenticates the users that are defined in the configuration. */
@ApplicationScoped
public class ConfiguredUsers implements IdentityStore {
  private static final System.Logger LOG = System.getLogger(ConfiguredUsers.class.getName());
  // HashPassword uses this number of iterations.
  private static final String ITERATIONS = "210000";

  @Inject Config config;
  @Inject Pbkdf2PasswordHash hash;
  @Inject OpenIdConnect openId;
  @Inject ServerRegistry container;
  @Inject QueueRoles roles;

  private final RecentLogins recent = new RecentLogins();
  private Map<String, User> users = Map.of();
  private Set<String> declared = Set.of();
  private User nobody = new User("", Set.of());

  /** Reads the configured users once. */
  @PostConstruct
  void read() {
    // Checking an unknown user must take as long as checking a wrong password.
    hash.initialize(Map.of("Pbkdf2PasswordHash.Iterations", ITERATIONS));
    nobody = new User(hash.generate(RecentLogins.random()), Set.of());
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
    if (users.isEmpty() && !openId.isSetUp() && !container.enabled()) {
      LOG.log(
          Level.WARNING,
          "READPAST-0402 no user is configured, so no caller can sign in to the REST API or the"
              + " console. Set readpast.admin.password-hash (environment:"
              + " READPAST_ADMIN_PASSWORD_HASH) for the user 'admin', or readpast.users with"
              + " readpast.user.\"<name>\".password-hash and readpast.user.\"<name>\".roles, or"
              + " readpast.users.container, or readpast.oidc");
    }
  }

  /**
   * Returns true if the configuration has a user of this name, or of a name that a directory treats
   * as the same.
   */
  boolean knows(String name) {
    return declared.contains(UserConfig.folded(name));
  }

  /**
   * Triggers the warning that no user can sign in when the application starts, not at the first
   * request.
   */
  void started(@Observes @Initialized(ApplicationScoped.class) Object event) {
    LOG.log(Level.DEBUG, "{0} users are configured", Integer.toString(users.size()));
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
