package org.readpast.example.remoteclient;

import jakarta.ejb.Remote;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.json.Json;
import java.io.StringReader;
import java.util.Map;
import org.readpast.api.RemoteJobException;
import org.readpast.api.RemoteJobHandler;

/**
 * Handles jobs of the type {@code booking.confirm}. The engine in readpast.war calls this EJB, in
 * the transaction that also completes the job.
 */
@Stateless
@Remote(RemoteJobHandler.class)
public class ConfirmationBean implements RemoteJobHandler {
  @Inject private Bookings bookings;

  @Override
  public String handle(String payload, Map<String, String> headers) throws RemoteJobException {
    String room;
    try (var reader = Json.createReader(new StringReader(payload))) {
      room = reader.readObject().getString("room");
    }
    bookings.confirm(room);
    if (room.startsWith("flooded")) {
      throw RemoteJobException.failNow("room " + room + " is under water");
    }
    if (room.startsWith("dusty") && headers.get("attempt").equals("1")) {
      throw RemoteJobException.retryLater(100);
    }
    if (room.startsWith("locked") && headers.get("attempt").equals("1")) {
      throw new IllegalStateException("where is the key?");
    }
    return "{\"confirmed\": \"" + room + "\", \"desk\": \"" + headers.get("property.desk") + "\"}";
  }
}
