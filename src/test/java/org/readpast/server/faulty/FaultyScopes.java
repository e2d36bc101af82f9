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

/** Handlers in classes that CDI does not discover, and some valid ones. */
public final class FaultyScopes {
  private FaultyScopes() {}

  /** A payload. */
  @JobType("faulty.scope")
  public record Payload(String text) {}

  /** A handler without a scope. */
  public static class Handler implements JobHandler<Payload> {
    @Override
    public JobResult handle(Payload payload, JobContext context) {
      return JobResult.done();
    }
  }

  /** A method of a class without a scope. */
  public static class OfMethod {
    @Handles
    void handle(Payload payload) {}
  }

  /** A background method of a class without a scope. */
  public static class OfBackground {
    @Background
    public void work(String text) {}
  }

  /** A scheduled method of a class without a scope. */
  public static class OfSchedule {
    @Scheduled(every = "PT1M")
    void work() {}
  }

  /** The superclass of a bean. */
  public static class Base {
    @Scheduled(name = "faulty.base", every = "PT1M")
    void work() {}
  }

  /** A bean. */
  @ApplicationScoped
  public static class Derived extends Base {}

  /** A class that beans.xml excludes. */
  public static class ExcludedByFile {
    @Scheduled(name = "faulty.excluded-by-file", every = "PT1M")
    void work() {}
  }

  /** A class that is excluded on purpose. */
  @Vetoed
  public static class Excluded {
    @Scheduled(name = "faulty.excluded", every = "PT1M")
    void work() {}
  }
}
