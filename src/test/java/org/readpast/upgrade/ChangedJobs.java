package org.readpast.upgrade;

import org.readpast.api.JobRequest;

/** Creates jobs that have different forms in the two versions of the application. */
public interface ChangedJobs {
  /** Returns a job with a new version of its payload; upcasts convert the old version. */
  JobRequest mail(long n);

  /** Returns a job whose type was renamed, with the old name as an alias. */
  JobRequest parcel(long n);

  /** Returns a job that has another payload under the same name and version. */
  JobRequest invoice(long n);
}
