package org.readpast.server.app;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import java.util.UUID;

/** Lives as long as an attempt. */
@RequestScoped
public class Visit {
  @Inject Script script;

  private final String id = UUID.randomUUID().toString();
  private String name = "nobody";

  /** Gives what tells this instance from others. */
  public String enter(String visitor) {
    name = visitor;
    return id;
  }

  @PreDestroy
  void end() {
    script.saw(name + " left", id);
  }
}
