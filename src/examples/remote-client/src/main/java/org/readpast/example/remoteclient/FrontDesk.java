package org.readpast.example.remoteclient;

import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.Map;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.readpast.api.RemoteJobException;
import org.readpast.api.RemoteJobQueue;

/** Books rooms: creates a row in this application and a job in Readpast, in one transaction. */
@Stateless
public class FrontDesk {
  @Inject private Bookings bookings;

  /**
   * Books a room, and enqueues its confirmation.
   *
   * @return the id of the job
   * @throws IllegalStateException if the guest leaves before the booking is complete; then neither
   *     the row nor the job is stored
   */
  public long book(String room, boolean guestLeaves) throws NamingException, RemoteJobException {
    bookings.add(room);
    long job =
        jobs()
            .enqueue(
                "booking.confirm",
                "{\"room\": \"" + room + "\"}",
                Map.of("queue", "bookings", "uniqueKey", "room-" + room, "property.desk", "1"));
    if (guestLeaves) {
      throw new IllegalStateException("the guest has left");
    }
    return job;
  }

  /**
   * The EJB is looked up only when it is needed, because Readpast may be deployed after this
   * application.
   */
  static RemoteJobQueue jobs() throws NamingException {
    return InitialContext.doLookup(RemoteJobQueue.JNDI_NAME);
  }
}
