package org.readpast.example.demo;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.JobType;
import org.readpast.api.Overlap;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.api.Scheduled;

/** A report each minute, for half a minute: to be watched in the console while it is written. */
@ApplicationScoped
public class Reports {
  private static final List<String> REGIONS =
      List.of("North", "South", "East", "West", "Central", "Islands", "Overseas", "Online");
  private static final int STEPS = 4;

  /** What to report on. */
  @JobType(value = "report.sales", queue = "reports")
  public record SalesReport(String title, String period) {}

  /** What came of it. */
  public record Summary(String document, int regions) {}

  /** Says how far it is, and what it does. */
  @Handles
  @Receive(ReceiveMode.LEASED)
  @Scheduled(
      name = "sales-report",
      every = "PT1M",
      overlap = Overlap.SKIP,
      payload = "{\"title\":\"Sales by region\",\"period\":\"today\"}")
  public JobResult write(SalesReport report, JobContext context) throws InterruptedException {
    int done = 0;
    int total = REGIONS.size() * STEPS;
    context.log("writing '" + report.title() + "', " + report.period());
    for (String region : REGIONS) {
      for (int step = 0; step < STEPS; step++) {
        OtherSystems.answerWithin(700, 1_200);
        context.progress(++done, total);
      }
      context.log(region + " is in");
    }
    return JobResult.done(new Summary("sales-by-region.pdf", REGIONS.size()));
  }
}
