package org.readpast.example.demo;

import jakarta.ejb.DependsOn;
import jakarta.ejb.Schedule;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.api.JobSelection;

/** Enqueues a few jobs each second, in one transaction. */
@Singleton
@Startup
@DependsOn("DemoStart")
@TransactionManagement(TransactionManagementType.BEAN)
public class Traffic {
  private static final Logger LOG = System.getLogger(Traffic.class.getName());
  // While jobs wait, such as in a paused queue, no more are enqueued, because a demo must not fill
  // a disk.
  private static final int MOST_WAITING = 1_000;
  private static final int HOUR = 3_600;

  private final RandomGenerator random = RandomGenerator.getDefault();
  private int second;

  @Inject private JobQueue jobs;

  @Schedule(hour = "*", minute = "*", second = "*", persistent = false)
  void tick() {
    List<JobRequest> some = new ArrayList<>();
    second++;
    if (hasRoom("mail")) {
      some.add(newsletter());
      if (second % 7 == 0) {
        some.add(passwordReset());
      }
      if (second % HOUR == 20) {
        some.add(mail("welcome", "customer@" + Mail.UNKNOWN_DOMAIN, "Welcome"));
      }
      if (hasRoom("invoices")) {
        some.addAll(order(4_000_000L + random.nextInt(1_000_000)));
      }
    }
    if (hasRoom("exports")) {
      for (int partner = 1; second % 12 == 0 && partner <= 5; partner++) {
        some.add(export("sftp://partner-" + partner + ".example.com/in"));
      }
      if (second % HOUR == 40) {
        some.add(export(Exports.CLOSED));
      }
    }
    try {
      jobs.enqueueAll(some);
    } catch (RuntimeException e) {
      // A developer may try an outage of the database, which Readpast itself logs.
      LOG.log(Level.DEBUG, "nothing was enqueued", e);
    }
  }

  private boolean hasRoom(String queue) {
    return jobs.browse(queue, JobSelection.all().limit(MOST_WAITING)).size() < MOST_WAITING;
  }

  /** Enqueues an invoice, and a mail that waits for it. */
  private List<JobRequest> order(long number) {
    long customer = random.nextLong(1_000, 2_000);
    String correlation = "order-" + number;
    int quantity = random.nextInt(1, 5);
    BigDecimal price = BigDecimal.valueOf(random.nextLong(499, 9_999), 2);
    var invoice =
        new Invoices.Invoice(
            number,
            customer,
            random.nextInt(10) == 0 ? "CHF" : "EUR",
            price.multiply(BigDecimal.valueOf(quantity)),
            List.of(new Invoices.Line("A-" + random.nextInt(100, 999), quantity, price)));
    return List.of(
        JobRequest.of(invoice).ref("invoice").correlationId(correlation),
        mail("invoice", address(customer), "Your invoice " + number)
            .group("customer-" + customer)
            .correlationId(correlation)
            .after("invoice"));
  }

  private JobRequest newsletter() {
    return mail("newsletter", address(random.nextLong(1_000, 2_000)), "New this week").priority(1);
  }

  private JobRequest passwordReset() {
    return mail("password-reset", address(random.nextLong(1_000, 2_000)), "Choose a new password")
        .priority(9)
        .expiresIn(Duration.ofDays(1));
  }

  private static JobRequest mail(String template, String to, String subject) {
    return JobRequest.of(new Mail.Message(template, to, subject)).property("template", template);
  }

  private static String address(long customer) {
    return "customer-" + customer + "@example.com";
  }

  private JobRequest export(String target) {
    String file = "stock-" + random.nextInt(100_000, 1_000_000) + ".csv";
    return JobRequest.of(new Exports.Export(file, target, random.nextInt(500, 20_000)));
  }
}
