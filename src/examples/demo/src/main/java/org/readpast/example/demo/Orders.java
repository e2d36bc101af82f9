package org.readpast.example.demo;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import java.time.Duration;
import org.readpast.api.Handles;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.api.JobType;

/** Creates a row and a job in one transaction. */
@ApplicationScoped
public class Orders {
  @PersistenceContext(unitName = "demo")
  private EntityManager entities;

  @Inject private JobQueue jobs;

  /** Holds the payload of the job that confirms an order. */
  @JobType(value = "order.confirm", queue = "orders")
  public record ConfirmOrder(long orderId) {}

  /** Holds the ids of the row and the job. */
  public record Placed(long orderId, long jobId) {}

  /** The bank declines the payment after the row and the job have been written. */
  public static class PaymentDeclinedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Placed undone;

    PaymentDeclinedException(Placed undone) {
      super("the payment was declined");
      this.undone = undone;
    }

    Placed undone() {
      return undone;
    }
  }

  /** Places an order. If the payment is declined, neither the row nor the job remains. */
  @Transactional(rollbackOn = PaymentDeclinedException.class)
  public Placed place(boolean declined) throws PaymentDeclinedException {
    var order = new CustomerOrder("desk lamp");
    entities.persist(order);
    entities.flush();
    // The job is delayed by two seconds, so that a visitor can see it wait.
    var job = JobRequest.of(new ConfirmOrder(order.id())).delay(Duration.ofSeconds(2));
    var placed = new Placed(order.id(), jobs.enqueue(job).id());
    if (declined) {
      throw new PaymentDeclinedException(placed);
    }
    return placed;
  }

  /** Confirms an order, in the transaction that also completes the job. */
  @Handles
  public void confirm(ConfirmOrder job) {
    entities.find(CustomerOrder.class, job.orderId()).confirm();
  }
}
