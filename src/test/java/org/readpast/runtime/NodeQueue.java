package org.readpast.runtime;

import java.util.Set;
import org.readpast.admin.JobControl;
import org.readpast.admin.KeyRotation;
import org.readpast.admin.Purge;
import org.readpast.admin.QueueControl;
import org.readpast.api.JobQueue;
import org.readpast.model.Principal;
import org.readpast.support.TestNode;

/** Creates the object that {@code @Inject JobQueue} provides, on an engine without a container. */
public final class NodeQueue {
  private NodeQueue() {}

  /**
   * @param node a started node
   */
  public static JobQueue of(TestNode node, Json json, JobPreparer preparer) {
    RunningEngine running = new RunningEngine();
    running.set(
        node.engine(),
        node.eventDispatcher(),
        node.retention(),
        new KeyRotation(node.transactions(), running));
    running.callers = new Callers();
    running.callers.caller = new Nobody();
    JobQueueBean queue = new JobQueueBean();
    queue.json = json;
    queue.preparer = preparer;
    queue.engine = running;
    queue.enqueuer = running;
    queue.endWaiter = node.endWaiter();
    queue.transactions = node.transactions();
    queue.control = new JobControl(node.transactions(), running, node.audit());
    queue.queues = new QueueControl(node.transactions(), running, node.audit());
    queue.purge = new Purge(node.transactions(), running, node.audit());
    return queue;
  }

  /** Without a container no caller is authenticated. */
  private static final class Nobody extends CallerName {
    @Override
    public Principal caller(Set<String> asked) {
      return Principal.NOBODY;
    }
  }
}
