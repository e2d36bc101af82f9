package org.readpast.upgrade;

import org.readpast.api.JobRequest;

/** The jobs that the versions of the application know in different forms. */
public interface ChangedJobs {
  /** Has a new version of its payload, which upcasts read from the old one. */
  JobRequest mail(long n);

  /** Has another name, with the old one as an alias. */
  JobRequest parcel(long n);

  /** Has another payload under the same name and version. */
  JobRequest invoice(long n);
}
