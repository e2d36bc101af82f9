package org.readpast.runtime;

import jakarta.enterprise.context.NormalScope;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Stereotype;
import jakarta.enterprise.inject.Vetoed;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.inject.Scope;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.HandlesTypes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Background;
import org.readpast.api.Handles;
import org.readpast.api.JobHandler;
import org.readpast.api.Scheduled;

/**
 * Refuses a web application that contains a handler class that CDI does not discover because the
 * class has no scope. CDI does not report such a class to extensions, so its jobs would wait
 * without any message. The servlet container finds the class by its annotations.
 */
@HandlesTypes({JobHandler.class, Handles.class, Background.class, Scheduled.class})
public class UnscopedHandlers implements ServletContainerInitializer {
  private static final String EJB = "jakarta.ejb.";

  @Override
  public void onStartup(@Nullable Set<Class<?>> classes, ServletContext context)
      throws ServletException {
    if (classes == null) {
      return;
    }
    HandlerExtension extension =
        CDI.current().getBeanManager().getExtension(HandlerExtension.class);
    String unscoped =
        classes.stream()
            .filter(type -> !extension.discovered(type) && !hasScope(type))
            .filter(type -> !isExcluded(type, context))
            .map(Class::getName)
            .sorted()
            .collect(Collectors.joining(", "));
    if (!unscoped.isEmpty()) {
      String refusal =
          "READPAST-0033 CDI does not discover these handler classes, because they have no"
              + " scope: "
              + unscoped
              + "; add @ApplicationScoped or @Dependent to each of them, or remove their"
              + " handler methods";
      // If an initializer throws an exception, Open Liberty only logs it, and starts the
      // application.
      extension.refuse(refusal);
      throw new ServletException(refusal);
    }
  }

  /** Returns true if something else determines whether the class is a bean. */
  private static boolean hasScope(Class<?> type) {
    return type.isInterface()
        || Modifier.isAbstract(type.getModifiers())
        || type.isAnonymousClass()
        || Arrays.stream(type.getAnnotations()).anyMatch(UnscopedHandlers::decides);
  }

  /** Returns true if a beans.xml of the class's archive excludes the class from discovery. */
  private static boolean isExcluded(Class<?> type, ServletContext context) {
    String path = type.getName().replace('.', '/') + ".class";
    URL file = type.getClassLoader().getResource(path);
    try {
      List<URL> descriptors = new ArrayList<>();
      if (context.getResource("/WEB-INF/classes/" + path) != null) {
        descriptors.add(context.getResource("/WEB-INF/beans.xml"));
      }
      if (file != null) {
        String archive = file.toString().substring(0, file.toString().length() - path.length());
        descriptors.addAll(
            Collections.list(type.getClassLoader().getResources("META-INF/beans.xml")).stream()
                .filter(one -> one.toString().equals(archive + "META-INF/beans.xml"))
                .toList());
      }
      for (URL descriptor : descriptors) {
        if (descriptor != null) {
          try (InputStream text = descriptor.openStream()) {
            if (BeansXml.read(text).excludes(type.getName())) {
              return true;
            }
          }
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("beans.xml of " + type.getName() + " cannot be read", e);
    }
  }

  private static boolean decides(Annotation annotation) {
    Class<? extends Annotation> type = annotation.annotationType();
    return type == Vetoed.class
        || type == Alternative.class
        || type.getName().startsWith(EJB)
        || type.isAnnotationPresent(Scope.class)
        || type.isAnnotationPresent(NormalScope.class)
        || type.isAnnotationPresent(Stereotype.class);
  }
}
