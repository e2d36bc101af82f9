package org.readpast.server.monitoring;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.logging.Logger;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobType;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;

/** Contains handlers of an application that is observed with a server's own tools. */
@ApplicationScoped
public class ShopHandlers {
  private static final Logger LOG = Logger.getLogger("shop");

  /**
   * Holds the payload of a job that writes a line to the log.
   *
   * @param failures the number of attempts that fail
   * @param sleep how long the handler sleeps
   */
  @JobType(value = "shop.order", queue = "orders")
  public record Order(String name, int failures, Duration sleep) {}

  @Handles
  @Receive(ReceiveMode.LEASED)
  public void order(Order order, JobContext context) throws InterruptedException {
    if (order.sleep() != null) {
      Thread.sleep(order.sleep().toMillis());
    }
    LOG.info("order " + order.name());
    if (context.attempt() <= order.failures()) {
      throw new IllegalStateException("order " + order.name() + " is not available");
    }
  }
}
