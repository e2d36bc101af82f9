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

/**
 * Writes a report every minute; each takes half a minute, so that it can be watched in the console.
 */
@ApplicationScoped
public class Reports {
  private static final List<String> REGIONS =
      List.of("North", "South", "East", "West", "Central", "Islands", "Overseas", "Online");
  private static final int STEPS = 4;

  /** Holds the payload of a job that writes a report. */
  @JobType(value = "report.sales", queue = "reports")
  public record SalesReport(String title, String period) {}

  /** Holds the result of a report job. */
  public record Summary(String document, int regions) {}

  /** Writes a report, and reports its progress. */
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
