package org.readpast.runtime;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRejectedException;
import org.readpast.model.NewJob;
import org.readpast.model.Principal;
import org.readpast.model.StoredType;

/**
 * Determines the user on whose behalf jobs are enqueued, and refuses jobs whose type requires a
 * role that the caller does not have.
 */
@ApplicationScoped
public class Callers {
  @Inject CallerName caller;
  @Inject HandlerExtension extension;
  @Inject BeanManager beans;
  private final Map<String, Set<String>> demands = new ConcurrentHashMap<>();
  private final Set<Class<?>> learnt = ConcurrentHashMap.newKeySet();
  private volatile Set<String> asked = Set.of();
  private java.security.@Nullable Principal present;

  @PostConstruct
  void findPrincipal() {
    present = builtInPrincipal();
  }

  /**
   * Records the roles that handlers require. Call this method when the job types of the handlers
   * have their complete names.
   */
  void learnHandlers() {
    for (FoundHandler found : extension.handlers()) {
      found.versions().names().forEach(name -> demands.put(name, found.roles()));
    }
    ask();
  }

  /** Records the roles that a payload's class requires, for a type that has no handler here. */
  void learn(String type, Class<?> payload) {
    if (learnt.add(payload)) {
      demands.putIfAbsent(type, DemandedRoles.ofPayload(payload));
      ask();
    }
  }

  private void ask() {
    Set<String> all = new HashSet<>();
    demands.values().forEach(all::addAll);
    asked = Set.copyOf(all);
  }

  /**
   * Returns CDI's built-in bean for the caller. In Weld, its methods return the caller of the
   * thread that calls them. Returns null if the server has replaced that bean, as Payara does.
   */
  private java.security.@Nullable Principal builtInPrincipal() {
    Set<Bean<?>> found = beans.getBeans(java.security.Principal.class);
    if (found.size() != 1) {
      return null;
    }
    Bean<?> bean = found.iterator().next();
    return bean.getBeanClass().getName().startsWith("org.jboss.weld.bean.builtin.")
        ? (java.security.Principal)
            beans.getReference(
                bean, java.security.Principal.class, beans.createCreationalContext(bean))
        : null;
  }

  /**
   * Returns true if it is certain that no user is signed in. The check avoids a call of the EJB,
   * which takes a third of the server's part of an enqueue. Usually no user is signed in, such as
   * when a job enqueues other jobs.
   */
  private boolean nobody() {
    try {
      return present != null && CallerName.isNobody(present.getName());
    } catch (RuntimeException e) {
      return false;
    }
  }

  /**
   * Returns the signed-in user, with the required roles that the user has. The result is not cached
   * for the transaction, because the user could change during it.
   */
  private Principal current() {
    if (nobody()) {
      return Principal.NOBODY;
    }
    Set<String> roles = asked;
    Principal by = caller.caller(roles);
    if (by.name() == null || by.roles().containsAll(roles)) {
      return by;
    }
    // The roles are checked here and not in the EJB, because Payara would check those of the EJB's
    // own class.
    Set<String> all = new HashSet<>(by.roles());
    roles.stream().filter(WebRoles::has).forEach(all::add);
    return new Principal(by.name(), all);
  }

  /**
   * Returns a copy of the job that is enqueued on behalf of the user that is signed in on this
   * thread.
   */
  NewJob signed(NewJob job) {
    return signed(List.of(job)).get(0);
  }

  /**
   * Returns copies of the jobs that are enqueued on behalf of the user that is signed in on this
   * thread.
   *
   * @throws JobRejectedException if the type of a job requires a role that the caller does not have
   */
  List<NewJob> signed(List<NewJob> jobs) {
    Principal by = current();
    for (NewJob job : jobs) {
      Set<String> demanded = demands.getOrDefault(StoredType.nameOf(job.type()), Set.of());
      if (!by.isInOneOf(demanded)) {
        throw new JobRejectedException(
            "jobs of type '"
                + StoredType.nameOf(job.type())
                + "' may only be enqueued by callers with one of the roles "
                + new TreeSet<>(demanded)
                + ", but "
                + (by.name() == null
                    ? "no user is signed in"
                    : "'" + by.name() + "' has none of them")
                + "; call as a user with such a role, and declare the roles in the"
                + " application");
      }
    }
    return by.name() == null ? jobs : jobs.stream().map(job -> job.by(by)).toList();
  }
}
