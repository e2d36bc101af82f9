package org.readpast.server.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.JobType;

/** Contains handlers that take a raw payload, or return a result. */
@ApplicationScoped
public class ContentHandlers {
  @Inject Script script;

  public record Answer(String text, int length) {}

  @JobType("content.question")
  public record Question(String text) {}

  @Handles
  @JobType("content.text")
  public void text(String content, JobContext job) {
    script.saw(job.correlationId(), job.contentType() + ": " + content);
  }

  @Handles
  public Answer answer(Question question) {
    return new Answer("about " + question.text(), question.text().length());
  }

  /** Handles bytes. */
  @Dependent
  @JobType("content.bytes")
  public static class OfBytes implements JobHandler<byte[]> {
    @Inject Script script;

    @Override
    public JobResult handle(byte[] content, JobContext job) {
      script.saw(job.correlationId(), content);
      return JobResult.done(content.length);
    }
  }
}
