package org.readpast.example.orders;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Duration;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;

/** Accepts orders: creates a row and a job in one transaction. */
@ApplicationScoped
public class Orders {
  private static final int STOCK = 100;

  private OrderBook book;
  private JobQueue jobs;

  protected Orders() {}

  @Inject
  Orders(OrderBook book, JobQueue jobs) {
    this.book = book;
    this.jobs = jobs;
  }

  /**
   * Accepts an order, which can be withdrawn until it is shipped.
   *
   * @return the number of the order
   * @throws IllegalArgumentException if the quantity is not available; the order is then not stored
   */
  @Transactional
  public long take(String item, int quantity, Duration shipsIn) {
    long number = book.add(new CustomerOrder(item, quantity));
    jobs.enqueue(JobRequest.of(new ShipOrder(number)).delay(shipsIn).uniqueKey("order-" + number));
    // The quantity is deliberately checked late: the row and the job have been written, and both
    // are rolled back.
    if (quantity > STOCK) {
      throw new IllegalArgumentException("there are only " + STOCK + " of " + item);
    }
    return number;
  }
}
