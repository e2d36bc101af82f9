package org.readpast.server.app;

import jakarta.inject.Inject;
import org.readpast.api.Background;

/** What beans inherit that are to work in the background. */
public abstract class InheritedChores {
  @Inject Script heritage;

  @Background
  public void inherited(String mark) {
    heritage.saw(mark, getClass().getSimpleName().replaceAll("\\$.*|_.*", ""));
  }
}
