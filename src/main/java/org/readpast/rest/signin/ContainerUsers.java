package org.readpast.rest.signin;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.credential.Credential;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStore;
import java.util.Set;

/**
 * Authenticates the users of the server, except users whose names are also in the configuration.
 */
@ApplicationScoped
public class ContainerUsers implements IdentityStore {
  @Inject ServerRegistry registry;
  @Inject ConfiguredUsers configured;

  @Override
  public CredentialValidationResult validate(Credential credential) {
    if (!registry.enabled()
        || !(credential instanceof UsernamePasswordCredential login)
        // A directory treats a login without a password as anonymous, and accepts it.
        || login.getPassword().getValue().length == 0
        || configured.knows(login.getCaller())) {
      return CredentialValidationResult.NOT_VALIDATED_RESULT;
    }
    Set<String> roles = registry.roles(login);
    return roles.isEmpty()
        ? CredentialValidationResult.INVALID_RESULT
        : new CredentialValidationResult(login.getCaller(), roles);
  }

  /** Returns a priority after that of the configured users. */
  @Override
  public int priority() {
    return 200;
  }
}
