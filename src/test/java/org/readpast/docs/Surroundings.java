package org.readpast.docs;

import java.time.ZoneId;
import java.util.List;
import org.readpast.api.Handles;
import org.readpast.api.JobQueue;
import org.readpast.api.JobSchedules;

/**
 * Defines the names that fragments of code on the pages use without defining them; see {@link
 * JavaSnippetsTest}.
 */
abstract class Surroundings {
  JobQueue jobs;
  JobSchedules schedules;
  long id;
  SendInvoice payload;
  Product product;
  Customer customer;
  List<CloseAccount> closings;

  record SendInvoice(long invoice, String address) {}

  record Invoice(long number) {}

  record Reindex(Product product) {}

  record Product(long id) {}

  record Customer(long id, ZoneId timeZone) {}

  record CloseAccount(long account) {}

  record PrintBalance(int year) {}

  record MailBalance(int year) {}

  record Congratulate(String team) {}

  record Pick(long order) {}

  record Print(long order) {}

  record Pack(long order) {}

  record Add(int one, int other) {}

  record BuildReport(long year) {}

  /** The class is the one in the README, with the constructor that its tests need. */
  static class Invoices {
    private final JobQueue jobs;

    Invoices(JobQueue jobs) {
      this.jobs = jobs;
    }

    void close(long invoice, String address) {
      jobs.enqueue(new SendInvoice(invoice, address));
    }

    @Handles
    public void send(SendInvoice job) {}
  }
}
