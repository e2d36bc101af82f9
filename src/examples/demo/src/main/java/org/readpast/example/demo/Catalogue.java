package org.readpast.example.demo;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.api.JobType;
import org.readpast.api.Overlap;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.api.Scheduled;

/**
 * Rebuilds the catalogue each hour: a graph of jobs in which each job waits for its predecessors.
 */
@ApplicationScoped
public class Catalogue {
  static final String REFRESH = "catalogue.refresh";

  @Inject private JobQueue jobs;

  /** Holds the payload of a job for one step of the rebuild. */
  @JobType(value = "catalogue.step", queue = "catalogue")
  public record Step(String name, int articles) {}

  @Scheduled(
      name = "catalogue",
      cron = "0 * * * *",
      zone = "Europe/Berlin",
      type = REFRESH,
      queue = "catalogue",
      overlap = Overlap.SKIP)
  void refresh(JobContext context) {
    jobs.batch("catalogue-" + context.id())
        .wave(
            0,
            step("import-books"),
            step("import-music"),
            step("import-games"),
            step("merge", "import-books", "import-music", "import-games"),
            step("prices", "merge"),
            step("stock", "merge"),
            step("images", "merge"),
            step("translations", "merge"),
            step("check", "prices", "stock"),
            step("thumbnails", "images"),
            step("search-index", "check", "translations"),
            step("publish", "search-index", "thumbnails"))
        .onSuccess(new Mail.Message("catalogue", "shop@example.com", "The catalogue is new"))
        .seal();
  }

  private static JobRequest step(String name, String... after) {
    return JobRequest.of(new Step(name, 12_400)).ref(name).after(after);
  }

  /** Executes one step. */
  @Handles
  @Receive(ReceiveMode.LEASED)
  public void work(Step step, JobContext context) throws InterruptedException {
    context.progress(0, step.articles());
    OtherSystems.answerWithin(1_000, 4_000);
    context.progress(step.articles(), step.articles());
  }
}
