package org.readpast.server.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.JobType;

/** Handlers that take a raw payload, or return a result. */
@ApplicationScoped
public class ContentHandlers {
  @Inject Script script;

  /** The answer to a question. */
  public record Answer(String text, int length) {}

  /** A question with an answer. */
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

  /** A bean that takes bytes. */
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
