package org.readpast.upgrade;

import org.readpast.api.JobRequest;

/** The jobs that the versions of the application know in different forms. */
public interface ChangedJobs {
  /** Returns a job with a new version of its payload, which upcasts read from the old one. */
  JobRequest mail(long n);

  /** Returns a job whose type has another name, with the old one as an alias. */
  JobRequest parcel(long n);

  /** Returns a job with another payload under the same name and version. */
  JobRequest invoice(long n);
}
