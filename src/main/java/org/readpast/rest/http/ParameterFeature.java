package org.readpast.rest.http;

import jakarta.annotation.Priority;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.ext.Provider;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses query parameters that a resource method does not know: otherwise a search with a typing
 * error in its only condition would find all jobs.
 */
@Provider
public class ParameterFeature implements DynamicFeature {
  @Override
  public void configure(ResourceInfo resource, FeatureContext context) {
    context.register(new ParameterFilter(known(resource.getResourceMethod())));
  }

  private static Set<String> known(Method method) {
    Set<String> names = new TreeSet<>();
    for (Parameter parameter : method.getParameters()) {
      add(parameter, names);
      if (parameter.isAnnotationPresent(BeanParam.class)) {
        for (AnnotatedElement field : parameter.getType().getDeclaredFields()) {
          add(field, names);
        }
      }
    }
    return names;
  }

  private static void add(AnnotatedElement place, Set<String> names) {
    QueryParam parameter = place.getAnnotation(QueryParam.class);
    if (parameter != null) {
      names.add(parameter.value());
    }
  }

  /**
   * Refuses a request with an unknown parameter, after the caller and its role have been checked.
   */
  @Priority(Priorities.USER)
  static final class ParameterFilter implements ContainerRequestFilter {
    private final Set<String> known;

    ParameterFilter(Set<String> known) {
      this.known = known;
    }

    @Override
    public void filter(ContainerRequestContext request) {
      for (String name : request.getUriInfo().getQueryParameters().keySet()) {
        if (!known.contains(name)) {
          throw RequestException.malformed(
              "parameter '"
                  + RequestException.quote(name)
                  + "' is unknown; "
                  + Fields.suggestion(name, known)
                  + (known.isEmpty()
                      ? "leave it out"
                      : "known parameters: " + String.join(", ", known)));
        }
      }
    }
  }
}
