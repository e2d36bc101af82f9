package org.readpast.rest.jobs;

import org.readpast.admin.store.JobDetails;
import org.readpast.admin.store.JobView;
import org.readpast.model.ContentType;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.JsonText;

/** Creates responses that contain one job with its payload and its result. */
public final class JobDetailsAnswer {
  private JobDetailsAnswer() {}

  /**
   * Creates a response that contains the payload and the result as they are stored; only for
   * callers that may see all fields.
   */
  public static Answer of(int status, JobDetails job) {
    return of(status, job, PayloadMask.NONE);
  }

  /**
   * Creates a response that contains the payload and the result as they are stored, except for
   * masked values.
   */
  public static Answer of(int status, JobDetails job, PayloadMask mask) {
    String json = Answer.toJson(JobAnswer.of(job));
    String result = job.job().result();
    String shown = payload(job.job(), mask);
    if (result != null) {
      shown += ",\"result\":" + mask.mask(result);
    }
    String masked = mask.hit().isEmpty() ? "" : ",\"masked\":" + Answer.toJson(mask.hit());
    return new Answer(status, null, json.substring(0, json.length() - 1) + masked + shown + "}");
  }

  private static String payload(JobView job, PayloadMask mask) {
    String payload = job.payload();
    if (payload == null) {
      return ",\"payloadKept\":false";
    }
    return ",\"payload\":"
        + (ContentType.isJsonText(job.contentType())
            ? Answer.toJson(mask.maskText(new JsonText(payload).string()))
            : mask.mask(payload));
  }
}
