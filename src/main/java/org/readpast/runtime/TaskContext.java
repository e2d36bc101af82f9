package org.readpast.runtime;

import jakarta.enterprise.inject.spi.CDI;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Captures the thread context for the engine's tasks when a web application starts. */
public class TaskContext implements ServletContainerInitializer {
  @Override
  public void onStartup(@Nullable Set<Class<?>> classes, ServletContext context) {
    context.addListener(new OfApplication());
  }

  /**
   * The context is captured in a listener, because the server calls listeners in the context of the
   * application and not of a component.
   */
  private static final class OfApplication implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
      CDI.current().select(ContainerThreads.class).get().takeContext();
    }
  }
}
