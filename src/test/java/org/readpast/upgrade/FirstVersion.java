package org.readpast.upgrade;

import org.readpast.api.JobRequest;
import org.readpast.api.JobType;

/** Represents the first version of the application. */
public final class FirstVersion implements ChangedJobs {
  @JobType(value = "upgrade.mail", queue = CommonJobs.QUEUE)
  public record Mail(long n, String to) {}

  @JobType(value = "upgrade.parcel", queue = CommonJobs.QUEUE)
  public record Parcel(long n) {}

  @JobType(value = "upgrade.invoice", queue = CommonJobs.QUEUE)
  public record Invoice(long n, long amount) {}

  @Override
  public JobRequest mail(long n) {
    return JobRequest.of(new Mail(n, "ada@example.org"));
  }

  @Override
  public JobRequest parcel(long n) {
    return JobRequest.of(new Parcel(n));
  }

  @Override
  public JobRequest invoice(long n) {
    return JobRequest.of(new Invoice(n, n * 2));
  }
}
