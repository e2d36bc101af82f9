package org.readpast.admin;

import java.util.List;
import org.readpast.store.JobDetails;
import org.readpast.store.JobFilter;
import org.readpast.store.JobReads;
import org.readpast.store.JobView;
import org.readpast.store.ListenerView;
import org.readpast.store.NodeView;
import org.readpast.store.QueueView;
import org.readpast.store.SystemReads;
import org.readpast.store.Transactions;

/** Looks at jobs, queues and nodes without locking anything. */
public final class Browser {
  private final Transactions transactions;
  private final JobReads jobs;
  private final SystemReads system;

  public Browser(Transactions transactions) {
    this.transactions = transactions;
    this.jobs = new JobReads(transactions);
    this.system = new SystemReads(transactions);
  }

  /**
   * A job and all that is kept about it.
   *
   * @throws NotFoundException if there is none
   */
  public JobDetails job(long id) {
    return transactions.joined(
        () -> {
          JobDetails found = jobs.details(id);
          if (found == null) {
            throw NotFoundException.job(id);
          }
          return found;
        });
  }

  /** Those that match, newest first, without payloads. */
  public List<JobView> jobs(JobFilter filter) {
    return transactions.joined(() -> jobs.page(filter));
  }

  /** Every queue, by name. */
  public List<QueueView> queues() {
    return transactions.joined(system::queues);
  }

  /**
   * Refuses a queue that there is not.
   *
   * @throws NotFoundException if there is none
   */
  public void requireQueue(String name) {
    List<String> names = transactions.joined(system::queueNames);
    if (!names.contains(name)) {
      throw NotFoundException.queue(name, names);
    }
  }

  /** How each node serves its queues, the newest node first. */
  public List<ListenerView> listening() {
    return transactions.joined(system::listening);
  }

  /** Every node that is still on record, the newest first. */
  public List<NodeView> nodes() {
    return transactions.joined(system::nodes);
  }
}
