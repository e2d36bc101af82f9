package org.readpast.rest.signin;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStore;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;
import org.readpast.model.QueueRoles;

/**
 * Reads the users of the server's own registry or realm, if the configuration enables this. Jakarta
 * Security gives applications that have their own identity stores no access to these users, so this
 * class calls public classes of each server.
 */
@ApplicationScoped
public class ServerRegistry {
  private static final System.Logger LOG = System.getLogger(ServerRegistry.class.getName());
  private static final String KEY = "readpast.users.container";

  @Inject Config config;
  @Inject QueueRoles queues;

  private @Nullable Registry registry;
  private RoleMapping roles = new RoleMapping(Map.of(), Set.of());

  /** Accesses the user registry of one kind of server. */
  private interface Registry {
    /** Returns the groups of the user with this password, or null if there is no such user. */
    @Nullable Collection<String> groups(UsernamePasswordCredential login)
        throws ReflectiveOperationException;
  }

  /** Detects the kind of the server. */
  @PostConstruct
  void read() {
    List<String> faults = new ArrayList<>();
    Optional<String> wanted = config.getOptionalValue(KEY, String.class);
    if (wanted.isPresent() && !Set.of("true", "false").contains(wanted.get())) {
      faults.add(
          KEY
              + " is '"
              + wanted.get()
              + "', so users of the server cannot sign in; specify true or false");
    }
    if (wanted.filter("true"::equals).isPresent()) {
      roles = RoleMapping.read(config, KEY + ".role.", queues.names(), faults);
      registry = find();
      if (registry == null) {
        faults.add(
            KEY
                + " is true, but only the registries of Open Liberty and Payara are"
                + " supported, and this is another server, so its users cannot sign"
                + " in; configure users with readpast.users or readpast.oidc");
      }
    }
    faults.forEach(fault -> LOG.log(Level.ERROR, "READPAST-0413 {0}", fault));
  }

  private static @Nullable Registry find() {
    try {
      return new LibertyRegistry();
    } catch (ReflectiveOperationException notLiberty) {
      try {
        return new PayaraRealm();
      } catch (ReflectiveOperationException notPayara) {
        return null;
      }
    }
  }

  boolean enabled() {
    return registry != null;
  }

  /**
   * Returns the roles of the user with the given password; empty if there is no such user, or if
   * the user has no role of Readpast.
   */
  Set<String> roles(UsernamePasswordCredential login) {
    Registry known = registry;
    if (known == null) {
      return Set.of();
    }
    try {
      Collection<String> groups = known.groups(login);
      return groups == null ? Set.of() : roles.of(groups);
    } catch (ReflectiveOperationException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      // The text is kept on one line, because it may contain a name that an attacker has chosen.
      String said = String.valueOf(cause).replaceAll("\\p{Cntrl}", " ");
      LOG.log(
          Level.WARNING,
          "READPAST-0414 the registry of the server could not be queried, so a sign-in with"
              + " its users failed: {0}",
          said);
      return Set.of();
    }
  }

  /** Reads {@code basicRegistry}, {@code ldapRegistry} and the other registries of Open Liberty. */
  private static final class LibertyRegistry implements Registry {
    private final Method find =
        Class.forName("com.ibm.wsspi.security.registry.RegistryHelper")
            .getMethod("getUserRegistry", String.class);
    private final Method check;
    private final Method groups;

    LibertyRegistry() throws ReflectiveOperationException {
      Class<?> type = Class.forName("com.ibm.websphere.security.UserRegistry");
      check = type.getMethod("checkPassword", String.class, String.class);
      groups = type.getMethod("getGroupsForUser", String.class);
    }

    @Override
    public @Nullable Collection<String> groups(UsernamePasswordCredential login)
        throws ReflectiveOperationException {
      Object registry = find.invoke(null, (Object) null);
      if (registry == null) {
        throw new IllegalAccessException("server.xml has no user registry");
      }
      try {
        Object name = check.invoke(registry, login.getCaller(), login.getPasswordAsString());
        List<String> found = new ArrayList<>();
        if (groups.invoke(registry, name) instanceof Collection<?> all) {
          all.forEach(group -> found.add(String.valueOf(group)));
        }
        return found;
      } catch (InvocationTargetException e) {
        Throwable cause = e.getTargetException();
        if (cause.getClass().getSimpleName().equals("PasswordCheckFailedException")) {
          return null;
        }
        throw e;
      }
    }
  }

  /** Reads the default realm of Payara, such as {@code file} or {@code ldap}. */
  private static final class PayaraRealm implements Registry {
    private final IdentityStore realm;

    PayaraRealm() throws ReflectiveOperationException {
      Class<?> definition =
          Class.forName("fish.payara.security.annotations.RealmIdentityStoreDefinition");
      Class<?> store =
          Class.forName("fish.payara.security.realm.identitystores.RealmIdentityStore");
      realm = (IdentityStore) store.getConstructor().newInstance();
      // An empty name stands for the default realm.
      Object unnamed =
          Proxy.newProxyInstance(
              definition.getClassLoader(),
              new Class<?>[] {definition},
              (proxy, method, arguments) -> "");
      store.getMethod("setConfiguration", definition).invoke(realm, unnamed);
    }

    @Override
    public @Nullable Collection<String> groups(UsernamePasswordCredential login) {
      CredentialValidationResult result = realm.validate(login);
      return result.getStatus() == CredentialValidationResult.Status.VALID
          ? result.getCallerGroups()
          : null;
    }
  }
}
