package org.readpast.rest;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.credential.Credential;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStore;
import java.util.Set;

/** Knows the users of the server, but for those whom the configuration has under the same name. */
@ApplicationScoped
public class ContainerUsers implements IdentityStore {
  @Inject ServerRegistry registry;
  @Inject ConfiguredUsers configured;

  @Override
  public CredentialValidationResult validate(Credential credential) {
    if (!registry.enabled()
        || !(credential instanceof UsernamePasswordCredential login)
        // To a directory without a password one is nobody, and that it lets in.
        || login.getPassword().getValue().length == 0
        || configured.knows(login.getCaller())) {
      return CredentialValidationResult.NOT_VALIDATED_RESULT;
    }
    Set<String> roles = registry.roles(login);
    return roles.isEmpty()
        ? CredentialValidationResult.INVALID_RESULT
        : new CredentialValidationResult(login.getCaller(), roles);
  }

  /** After the configuration's. */
  @Override
  public int priority() {
    return 200;
  }
}
