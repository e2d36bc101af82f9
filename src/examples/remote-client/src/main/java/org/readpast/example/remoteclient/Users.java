package org.readpast.example.remoteclient;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.authentication.mechanism.http.BasicAuthenticationMechanismDefinition;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStore;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Knows two employees if a password is configured, one of whom may enqueue jobs; otherwise no user
 * can sign in.
 */
@BasicAuthenticationMechanismDefinition(realmName = "remote-client")
@ApplicationScoped
public class Users implements IdentityStore {
  private static final Map<String, Set<String>> GROUPS =
      Map.of(
          "clerk", Set.of("employee", "readpast-operator"),
          "trainee", Set.of("employee"));

  @Inject
  @ConfigProperty(name = "remote-client.password")
  private Optional<String> password;

  /** This method is called by the default method of the interface, for Basic credentials. */
  public CredentialValidationResult validate(UsernamePasswordCredential credential) {
    Set<String> groups = GROUPS.get(credential.getCaller());
    boolean valid =
        groups != null
            && password.isPresent()
            && MessageDigest.isEqual(
                password.get().getBytes(UTF_8), credential.getPasswordAsString().getBytes(UTF_8));
    return valid
        ? new CredentialValidationResult(credential.getCaller(), groups)
        : CredentialValidationResult.INVALID_RESULT;
  }
}
