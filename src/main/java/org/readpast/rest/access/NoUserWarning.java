package org.readpast.rest.access;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.lang.System.Logger.Level;
import org.readpast.rest.oidc.OpenIdConnect;
import org.readpast.rest.signin.ConfiguredUsers;

/** Warns when the application starts, not at the first request, if no user can sign in. */
@ApplicationScoped
class NoUserWarning {
  private static final System.Logger LOG = System.getLogger(NoUserWarning.class.getName());

  @Inject ConfiguredUsers configured;
  @Inject OpenIdConnect openId;

  void started(@Observes @Initialized(ApplicationScoped.class) Object event) {
    if (configured.none() && !openId.isSetUp()) {
      LOG.log(
          Level.WARNING,
          "READPAST-0402 no user is configured, so no caller can sign in to the REST API or the"
              + " console. Set readpast.admin.password-hash (environment:"
              + " READPAST_ADMIN_PASSWORD_HASH) for the user 'admin', or readpast.users with"
              + " readpast.user.\"<name>\".password-hash and readpast.user.\"<name>\".roles, or"
              + " readpast.users.container, or readpast.oidc");
    }
  }
}
