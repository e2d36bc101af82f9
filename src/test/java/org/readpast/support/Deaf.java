package org.readpast.support;

import java.util.Collection;
import org.readpast.engine.Signals;

/** Tells nobody of what has been committed; a test may hear of some of it. */
public class Deaf implements Signals {
  @Override
  public void queueChanged(String queue) {}

  @Override
  public void orderChanged() {}

  @Override
  public void schedulesChanged() {}

  @Override
  public void jobsAvailable(Collection<String> queues) {}
}
