package org.readpast.example.demo;

import jakarta.enterprise.context.ApplicationScoped;
import java.math.BigDecimal;
import java.util.List;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;
import org.readpast.api.JobType;
import org.readpast.api.Retries;

/** Writes invoices, with many small and short jobs. */
@ApplicationScoped
public class Invoices {

  /** Holds the payload of a job that writes an invoice. */
  @JobType(value = "invoice.create", queue = "invoices")
  public record Invoice(
      long invoiceId, long customerId, String currency, BigDecimal total, List<Line> lines) {}

  /** Describes the purchased item. */
  public record Line(String article, int quantity, BigDecimal price) {}

  /** Holds the result of an invoice job. */
  public record Written(String document, int pages) {}

  /** Writes one invoice; for some invoices, the exchange rate arrives late. */
  @Handles
  @Retries(delay = "PT3S")
  public JobResult create(Invoice invoice, JobContext context) throws InterruptedException {
    OtherSystems.answerWithin(5, 60);
    if (!invoice.currency().equals("EUR") && OtherSystems.fail(0.2, context.attempt())) {
      throw new IllegalStateException(
          "no exchange rate for " + invoice.currency() + " yet; invoice " + invoice.invoiceId());
    }
    return JobResult.done(new Written("invoice-" + invoice.invoiceId() + ".pdf", 1));
  }
}
