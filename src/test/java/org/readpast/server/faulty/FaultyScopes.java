package org.readpast.server.faulty;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Vetoed;
import org.readpast.api.Background;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.JobType;
import org.readpast.api.Scheduled;

/** Contains handlers in classes that CDI does not discover, and some valid ones. */
public final class FaultyScopes {
  private FaultyScopes() {}

  @JobType("faulty.scope")
  public record Payload(String text) {}

  /** Is a handler without a scope. */
  public static class Handler implements JobHandler<Payload> {
    @Override
    public JobResult handle(Payload payload, JobContext context) {
      return JobResult.done();
    }
  }

  /** Has a handler method, but no scope. */
  public static class OfMethod {
    @Handles
    void handle(Payload payload) {}
  }

  /** Has a background method, but no scope. */
  public static class OfBackground {
    @Background
    public void work(String text) {}
  }

  /** Has a scheduled method, but no scope. */
  public static class OfSchedule {
    @Scheduled(every = "PT1M")
    void work() {}
  }

  /** Is the superclass of a bean. */
  public static class Base {
    @Scheduled(name = "faulty.base", every = "PT1M")
    void work() {}
  }

  @ApplicationScoped
  public static class Derived extends Base {}

  /** Is excluded by beans.xml. */
  public static class ExcludedByFile {
    @Scheduled(name = "faulty.excluded-by-file", every = "PT1M")
    void work() {}
  }

  /** Is excluded on purpose. */
  @Vetoed
  public static class Excluded {
    @Scheduled(name = "faulty.excluded", every = "PT1M")
    void work() {}
  }
}
