package org.readpast.server.app;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import java.util.UUID;

/** Is a bean in the request scope, which lives as long as an attempt. */
@RequestScoped
public class Visit {
  @Inject Script script;

  private final String id = UUID.randomUUID().toString();
  private String name = "nobody";

  /** Returns the identity of this instance. */
  public String enter(String visitor) {
    name = visitor;
    return id;
  }

  @PreDestroy
  void end() {
    script.saw(name + " left", id);
  }
}
