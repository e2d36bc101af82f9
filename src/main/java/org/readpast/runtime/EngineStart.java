package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;

/** Starts the engine when the application is up. */
@ApplicationScoped
public class EngineStart {
  @Inject EngineBoot boot;
  @Inject ContainerThreads threads;

  void up(@Observes @Initialized(ApplicationScoped.class) Object event) {
    threads.takeContext();
    boot.start();
  }
}
