package org.readpast.example.orders;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Response;
import java.time.Duration;

/** Accepts orders from any caller, as an example for a server that listens on localhost only. */
@Path("{item}")
@RequestScoped
public class OrdersResource {
  @Inject private Orders orders;

  /** Returns the status 201 with the number of the order, or 409. */
  @POST
  public Response take(
      @PathParam("item") String item,
      @QueryParam("quantity") int quantity,
      @HeaderParam("Sec-Fetch-Site") String site) {
    // Pages from other sites that the developer visits cannot place orders.
    if (site != null && !site.equals("same-origin")) {
      return Response.status(403).build();
    }
    try {
      return Response.status(201).entity(orders.take(item, quantity, Duration.ZERO)).build();
    } catch (IllegalArgumentException e) {
      return Response.status(409).entity(e.getMessage()).build();
    }
  }
}
