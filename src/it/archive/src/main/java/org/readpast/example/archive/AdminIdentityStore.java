package org.readpast.example.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.authentication.mechanism.http.BasicAuthenticationMechanismDefinition;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStore;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Knows one user, {@code admin}, if a password is configured; else nobody gets in. */
@BasicAuthenticationMechanismDefinition(realmName = "archive")
@ApplicationScoped
public class AdminIdentityStore implements IdentityStore {
  @Inject
  @ConfigProperty(name = "readpast.admin.password")
  private Optional<String> password;

  /** Called by the default method of the interface, for Basic credentials. */
  public CredentialValidationResult validate(UsernamePasswordCredential credential) {
    boolean valid =
        password.isPresent()
            && credential.getCaller().equals("admin")
            && MessageDigest.isEqual(
                password.get().getBytes(UTF_8), credential.getPasswordAsString().getBytes(UTF_8));
    return valid
        ? new CredentialValidationResult("admin", Set.of("readpast-admin"))
        : CredentialValidationResult.INVALID_RESULT;
  }
}
