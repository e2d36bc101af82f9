package org.readpast.example.remoteclient;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.regex.Pattern;
import javax.naming.NamingException;
import org.readpast.api.RemoteJobException;

/** Books rooms, and reports the states of their jobs. */
@Path("bookings")
@Produces(MediaType.TEXT_PLAIN)
@RequestScoped
public class BookingsResource {
  private static final Pattern ROOM = Pattern.compile("[a-z0-9-]{1,40}");

  @Inject private FrontDesk desk;

  /** Books a room, and returns the status 201 with the id of the job. */
  @POST
  @Path("{room}")
  public Response book(
      @PathParam("room") String room, @QueryParam("guestLeaves") boolean guestLeaves)
      throws NamingException {
    if (!ROOM.matcher(room).matches()) {
      return Response.status(400).entity("a room is named like " + ROOM).build();
    }
    try {
      return Response.status(201).entity(desk.book(room, guestLeaves)).build();
    } catch (RemoteJobException e) {
      return refused(e);
    } catch (RuntimeException e) {
      return Response.status(409).entity("not booked").build();
    }
  }

  /** Waits for the result of a job, and returns it. */
  @GET
  @Path("jobs/{id}")
  public Response result(@PathParam("id") long id) throws NamingException {
    try {
      String result = FrontDesk.jobs().await(id, 20_000);
      return Response.ok(FrontDesk.jobs().state(id) + " " + result).build();
    } catch (RemoteJobException e) {
      return refused(e);
    }
  }

  /** Cancels a job. */
  @POST
  @Path("jobs/{id}/cancellation")
  public Response cancel(@PathParam("id") long id) throws NamingException {
    try {
      return Response.ok(FrontDesk.jobs().cancel(id)).build();
    } catch (RemoteJobException e) {
      return refused(e);
    }
  }

  /** Starts a job now that was scheduled for later. */
  @POST
  @Path("jobs/{id}/run")
  public Response runNow(@PathParam("id") long id) throws NamingException {
    try {
      FrontDesk.jobs().runNow(id);
      return Response.noContent().build();
    } catch (RemoteJobException e) {
      return refused(e);
    }
  }

  /** Reschedules a job to another time, given in ISO-8601. */
  @POST
  @Path("jobs/{id}/reschedule")
  public Response reschedule(@PathParam("id") long id, @QueryParam("at") String at)
      throws NamingException {
    try {
      FrontDesk.jobs().reschedule(id, at);
      return Response.noContent().build();
    } catch (RemoteJobException e) {
      return refused(e);
    }
  }

  /** Cancels the confirmation of a room that has not been confirmed yet. */
  @POST
  @Path("{room}/cancellation")
  public Response cancelConfirmation(@PathParam("room") String room) throws NamingException {
    try {
      return Response.ok(FrontDesk.jobs().cancelUniqueKey("room-" + room)).build();
    } catch (RemoteJobException e) {
      return refused(e);
    }
  }

  private static Response refused(RemoteJobException e) {
    int status =
        switch (e.code()) {
          case "FORBIDDEN" -> 403;
          case "NOT_FOUND" -> 404;
          case "CONFLICT" -> 409;
          default -> 422;
        };
    return Response.status(status).entity(e.code() + " " + e.getMessage()).build();
  }
}
