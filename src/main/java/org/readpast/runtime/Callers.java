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
 * Says on whose behalf jobs are enqueued, and refuses those whose type demands a role that the
 * caller is not in.
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

  /** What handlers demand; to be called once their types have their names. */
  void learnHandlers() {
    for (FoundHandler found : extension.handlers()) {
      found.versions().names().forEach(name -> demands.put(name, found.roles()));
    }
    ask();
  }

  /** What a payload's class demands, where there is no handler to say it. */
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
   * CDI's own bean for the caller, as Weld has it, whose methods answer for the thread that calls
   * them; null where something else has been put in its place, as Payara does.
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
   * Whether there is certainly nobody. To ask the EJB takes a third of the server's part of an
   * enqueue, and mostly there is nobody, where jobs enqueue jobs.
   */
  private boolean nobody() {
    try {
      return present != null && CallerName.isNobody(present.getName());
    } catch (RuntimeException e) {
      return false;
    }
  }

  /**
   * Who is signed in, and in which of the roles that are demanded. Not remembered for a
   * transaction: it could be somebody else's name by then.
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
    // Asked here and not in the EJB: there Payara would again answer for the EJB.
    Set<String> all = new HashSet<>(by.roles());
    roles.stream().filter(WebRoles::has).forEach(all::add);
    return new Principal(by.name(), all);
  }

  /** One job on behalf of who is signed in on this thread. */
  NewJob signed(NewJob job) {
    return signed(List.of(job)).get(0);
  }

  /**
   * The same for many.
   *
   * @throws JobRejectedException if the type of one demands a role that the caller is not in
   */
  List<NewJob> signed(List<NewJob> jobs) {
    Principal by = current();
    for (NewJob job : jobs) {
      Set<String> demanded = demands.getOrDefault(StoredType.nameOf(job.type()), Set.of());
      if (!by.isInOneOf(demanded)) {
        throw new JobRejectedException(
            "jobs of type '"
                + StoredType.nameOf(job.type())
                + "' are for callers in one of the roles "
                + new TreeSet<>(demanded)
                + ", and "
                + (by.name() == null ? "nobody is signed in" : "'" + by.name() + "' is in none")
                + "; call as somebody who is, and see that the application declares its roles");
      }
    }
    return by.name() == null ? jobs : jobs.stream().map(job -> job.by(by)).toList();
  }
}
