package org.readpast.server.app;

import jakarta.inject.Inject;
import org.readpast.api.Background;

/** Contains background methods that beans inherit. */
public abstract class InheritedBackgroundTasks {
  @Inject Script heritage;

  @Background
  public void inherited(String mark) {
    heritage.saw(mark, getClass().getSimpleName().replaceAll("\\$.*|_.*", ""));
  }
}
