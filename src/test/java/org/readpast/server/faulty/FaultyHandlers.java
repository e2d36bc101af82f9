package org.readpast.server.faulty;

import jakarta.enterprise.context.ApplicationScoped;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.JobType;
import org.readpast.api.Scheduled;

/** One handler for each rule that it breaks. */
public final class FaultyHandlers {
  private FaultyHandlers() {}

  /** A payload with two handlers. */
  @JobType("faulty.twice")
  public record Twice(String text) {}

  /** A payload of a method in a wrong shape. */
  @JobType("faulty.shape")
  public record Shape(String text) {}

  /** A payload without a type. */
  public record Untyped(String text) {}

  /** The first handler of a type. */
  @ApplicationScoped
  public static class First implements JobHandler<Twice> {
    @Override
    public JobResult handle(Twice payload, JobContext context) {
      return JobResult.done();
    }
  }

  /** The second handler of the same type. */
  @ApplicationScoped
  public static class Second {
    @Handles
    void again(Twice payload) {}
  }

  /** Takes a payload without a type. */
  @ApplicationScoped
  public static class OfUntyped implements JobHandler<Untyped> {
    @Override
    public JobResult handle(Untyped payload, JobContext context) {
      return JobResult.done();
    }
  }

  /** Scheduled in ways that cannot be. */
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

  /** Not called as a handler is. */
  @ApplicationScoped
  public static class OfWrongShape {
    @Handles
    String shaped(Shape payload, int number) {
      return payload.text() + number;
    }
  }
}
