package org.readpast.example.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobState;
import org.readpast.testkit.TestJob;
import org.readpast.testkit.TestJobQueue;

/**
 * Tests the application without a server, with its own classes and the in-memory queue of Readpast.
 */
class OrdersTest {
  private final Map<Long, CustomerOrder> stored = new HashMap<>();
  private final OrderBook book =
      new OrderBook() {
        @Override
        public long add(CustomerOrder order) {
          stored.put(stored.size() + 1L, order);
          return stored.size();
        }

        @Override
        public CustomerOrder find(long number) {
          return stored.get(number);
        }
      };
  private final TestJobQueue jobs = new TestJobQueue().handler(new Shipping(book));
  private final Orders orders = new Orders(book, jobs);

  @Test
  void order_is_shipped_when_it_is_due() {
    long number = orders.take("lamp", 2, Duration.ofDays(1));
    TestJob job = jobs.assertEnqueued(ShipOrder.class, ship -> ship.order() == number);
    assertEquals("order-" + number, job.uniqueKey());

    jobs.advance(Duration.ofHours(23));
    assertEquals(JobState.SCHEDULED, jobs.job(job.id()).state());

    jobs.advance(Duration.ofHours(1));
    assertEquals("\"parcel-" + job.id() + "\"", jobs.job(job.id()).result(String.class));
  }

  @Test
  void order_above_the_available_quantity_leaves_no_job() {
    assertThrows(
        IllegalArgumentException.class,
        () -> jobs.transaction(() -> orders.take("lamp", 101, Duration.ZERO)));
    jobs.assertNotEnqueued(ShipOrder.class);
  }

  @Test
  void missing_order_is_tried_three_times() {
    jobs.enqueue(new ShipOrder(7));
    AssertionError error = assertThrows(AssertionError.class, jobs::drain);
    assertTrue(error.getMessage().contains("order 7 is not in the book"), error.getMessage());

    jobs.allowFailures().advance(Duration.ofMinutes(1));
    assertEquals(JobState.DISCARDED, jobs.jobs(ShipOrder.class).get(0).state());
    assertEquals(3, jobs.jobs(ShipOrder.class).get(0).attempt());
  }
}
