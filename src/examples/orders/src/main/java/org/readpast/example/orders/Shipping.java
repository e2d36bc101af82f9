package org.readpast.example.orders;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.Retries;

/** Ships orders, in the transaction that also completes their jobs. */
@ApplicationScoped
public class Shipping {
  private OrderBook book;

  protected Shipping() {}

  @Inject
  Shipping(OrderBook book) {
    this.book = book;
  }

  /** Ships one order, and returns the number of the parcel. */
  @Handles
  @Retries(maxAttempts = 3, delay = "PT10S")
  public String ship(ShipOrder job, JobContext context) {
    CustomerOrder order = book.find(job.order());
    if (order == null) {
      throw new IllegalStateException("order " + job.order() + " is not in the book");
    }
    String parcel = "parcel-" + context.id();
    order.shipped(parcel);
    return parcel;
  }
}
