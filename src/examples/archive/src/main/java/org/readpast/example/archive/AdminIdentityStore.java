package org.readpast.example.archive;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.authentication.mechanism.http.BasicAuthenticationMechanismDefinition;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStore;
import jakarta.security.enterprise.identitystore.Pbkdf2PasswordHash;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Knows one user, {@code admin}, if the hash of a password is configured; otherwise no user can
 * sign in.
 */
@BasicAuthenticationMechanismDefinition(realmName = "archive")
@ApplicationScoped
public class AdminIdentityStore implements IdentityStore {
  @Inject
  @ConfigProperty(name = "readpast.admin.password-hash")
  private Optional<String> hash;

  @Inject private Pbkdf2PasswordHash passwords;

  /** This method is called by the default method of the interface, for Basic credentials. */
  public CredentialValidationResult validate(UsernamePasswordCredential credential) {
    boolean valid =
        hash.isPresent()
            && credential.getCaller().equals("admin")
            && passwords.verify(credential.getPassword().getValue(), hash.get());
    return valid
        ? new CredentialValidationResult("admin", Set.of("readpast-admin"))
        : CredentialValidationResult.INVALID_RESULT;
  }
}
