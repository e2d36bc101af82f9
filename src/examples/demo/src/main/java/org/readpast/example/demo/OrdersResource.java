package org.readpast.example.demo;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/**
 * Serves the requests of the demo page.
 *
 * <p>This demo has no sign-in: it is deployed only by the development server, which listens on
 * localhost, and contains no secrets and no valuable data. Your own application should authenticate
 * its callers, as the archive example does. Pages from other sites that the developer visits still
 * cannot place orders.
 */
@Path("orders")
@Produces(MediaType.APPLICATION_JSON)
@RequestScoped
public class OrdersResource {
  // To show that nothing is hidden, this resource reads Readpast's own tables. Other applications
  // should use JobQueue instead.
  private static final String LIVE = "select count(*) from readpast_job where queue = 'orders'";
  private static final String ENDED =
      "select count(*) from readpast_job_history where queue = 'orders'";

  @PersistenceContext(unitName = "demo")
  private EntityManager entities;

  @Inject private Orders orders;

  /**
   * Holds the outcome of an order; the existence of the row and of the job was queried afterwards.
   */
  public record Outcome(
      boolean declined, long orderId, long jobId, boolean orderExists, boolean jobExists) {}

  /** Holds the numbers of rows in two tables: orders, and jobs that confirm them. */
  public record Counts(long orders, long confirmed, long jobs, long liveJobs) {}

  /** Places an order, unless its payment is declined. */
  @POST
  public Response place(
      @QueryParam("declined") boolean declined, @HeaderParam("Sec-Fetch-Site") String site) {
    if (site != null && !site.equals("same-origin")) {
      return Response.status(Response.Status.FORBIDDEN).build();
    }
    try {
      return Response.ok(outcome(false, orders.place(declined))).build();
    } catch (Orders.PaymentDeclinedException e) {
      return Response.ok(outcome(true, e.undone())).build();
    }
  }

  /** Returns the numbers of orders and of jobs. */
  @GET
  public Counts counts() {
    return new Counts(
        number("select count(*) from demo_order"),
        number("select count(*) from demo_order where confirmed"),
        number("select (" + LIVE + ") + (" + ENDED + ")"),
        number(LIVE));
  }

  private Outcome outcome(boolean declined, Orders.Placed placed) {
    return new Outcome(
        declined,
        placed.orderId(),
        placed.jobId(),
        number("select count(*) from demo_order where id = ?1", placed.orderId()) == 1,
        number("select (" + LIVE + " and id = ?1) + (" + ENDED + " and id = ?1)", placed.jobId())
            == 1);
  }

  private long number(String sql, Object... parameters) {
    var query = entities.createNativeQuery(sql);
    for (int i = 0; i < parameters.length; i++) {
      query.setParameter(i + 1, parameters[i]);
    }
    return ((Number) query.getSingleResult()).longValue();
  }
}
