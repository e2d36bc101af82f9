package org.readpast.server.faulty;

import jakarta.enterprise.context.ApplicationScoped;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.JobType;
import org.readpast.api.Scheduled;

/** Contains handlers that each break one rule. */
public final class FaultyHandlers {
  private FaultyHandlers() {}

  /** Has two handlers. */
  @JobType("faulty.twice")
  public record Twice(String text) {}

  /** Has a handler method with an invalid signature. */
  @JobType("faulty.shape")
  public record Shape(String text) {}

  /** Has no job type. */
  public record Untyped(String text) {}

  /** Is the first handler of a type. */
  @ApplicationScoped
  public static class First implements JobHandler<Twice> {
    @Override
    public JobResult handle(Twice payload, JobContext context) {
      return JobResult.done();
    }
  }

  /** Is the second handler of the same type. */
  @ApplicationScoped
  public static class Second {
    @Handles
    void again(Twice payload) {}
  }

  /** Takes a payload without a job type. */
  @ApplicationScoped
  public static class OfUntyped implements JobHandler<Untyped> {
    @Override
    public JobResult handle(Untyped payload, JobContext context) {
      return JobResult.done();
    }
  }

  /** Contains methods with invalid schedules. */
  @ApplicationScoped
  public static class OfWrongSchedule {
    @Scheduled(every = "PT1M")
    void scheduled(int number) {}

    @Scheduled(name = "faulty.once", every = "PT1M")
    void first() {}

    @Scheduled(every = "PT1M")
    @Scheduled(name = "faulty.often", every = "PT2M")
    void often() {}

    @Scheduled(name = "faulty.once", type = "faulty.other", every = "PT1M")
    void second() {}
  }

  /** Contains a method without the signature of a handler. */
  @ApplicationScoped
  public static class OfWrongShape {
    @Handles
    String shaped(Shape payload, int number) {
      return payload.text() + number;
    }
  }
}
