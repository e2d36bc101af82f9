package org.readpast.upgrade;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import org.readpast.api.JobRequest;
import org.readpast.api.JobType;
import org.readpast.api.Upcasts;

/** Represents the second version of the application. */
public final class SecondVersion implements ChangedJobs {
  @JobType(value = "upgrade.mail", version = 2, queue = CommonJobs.QUEUE)
  public record Mail(long n, String to, String subject) {
    @Upcasts(from = 1)
    static JsonObject withSubject(JsonObject old) {
      return Json.createObjectBuilder(old).add("subject", "none").build();
    }
  }

  @JobType(value = "upgrade.shipment", aliases = "upgrade.parcel", queue = CommonJobs.QUEUE)
  public record Shipment(long n) {}

  @JobType(value = "upgrade.invoice", queue = CommonJobs.QUEUE)
  public record Invoice(long n, Amount amount) {}

  public record Amount(long value, String currency) {}

  @Override
  public JobRequest mail(long n) {
    return JobRequest.of(new Mail(n, "ada@example.org", "hello"));
  }

  @Override
  public JobRequest parcel(long n) {
    return JobRequest.of(new Shipment(n));
  }

  @Override
  public JobRequest invoice(long n) {
    return JobRequest.of(new Invoice(n, new Amount(n * 2, "EUR")));
  }
}
