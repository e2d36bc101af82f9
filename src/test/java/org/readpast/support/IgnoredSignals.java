package org.readpast.support;

import java.util.Collection;
import org.readpast.engine.Signals;

/** Ignores all signals. A test may override some of the methods. */
public class IgnoredSignals implements Signals {
  @Override
  public void queueChanged(String queue) {}

  @Override
  public void orderChanged() {}

  @Override
  public void schedulesChanged() {}

  @Override
  public void jobsAvailable(Collection<String> queues) {}
}
