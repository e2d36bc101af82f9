package org.readpast.example.demo;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobQueue;
import org.readpast.api.JobType;
import org.readpast.api.Overlap;
import org.readpast.api.Retries;
import org.readpast.api.Scheduled;

/**
 * Closes the books in three waves. One account does not balance, because two digits of its credit
 * are swapped, so its job is discarded and holds the later waves. If you correct the payload in the
 * console and reset the job, or skip the failure, the waves continue.
 */
@ApplicationScoped
public class MonthEnd {
  static final String BEGIN = "month-end.begin";

  @Inject private JobQueue jobs;

  /** Holds the payload of a job that closes an account. */
  @JobType(value = "account.close", queue = "closing")
  public record Account(String number, BigDecimal debit, BigDecimal credit) {}

  /** Holds the payload of a job that creates a statement of all accounts. */
  @JobType(value = "statement.make", queue = "closing")
  public record Statement(String name) {}

  /** Thrown if the debit and the credit of an account differ. */
  public static class OutOfBalanceException extends Exception {
    private static final long serialVersionUID = 1L;

    OutOfBalanceException(Account account) {
      super(
          "account %s does not balance: debit %s, credit %s"
              .formatted(account.number(), account.debit(), account.credit()));
    }
  }

  @Scheduled(
      name = "month-end",
      cron = "0 6 1 * *",
      zone = "Europe/Berlin",
      type = BEGIN,
      queue = "closing",
      overlap = Overlap.SKIP)
  void begin(JobContext context) {
    jobs.batch("month-end-" + context.id())
        .wave(
            100,
            account("1200", "91250.40", "91250.40"),
            account("1400", "18733.05", "18733.05"),
            account("4400", "64010.00", "64010.00"),
            account("8400", "12045.90", "12405.90"))
        .wave(200, new Statement("balance"), new Statement("profit and loss"))
        .wave(300, new Mail.Message("month-end", "board@example.com", "The books are closed"))
        .onDiscard(new Mail.Message("month-end", "books@example.com", "The books do not close"))
        .seal();
  }

  private static Account account(String number, String debit, String credit) {
    return new Account(number, new BigDecimal(debit), new BigDecimal(credit));
  }

  /** Closes one account. */
  @Handles
  @Retries(abortOn = OutOfBalanceException.class)
  public void close(Account account) throws OutOfBalanceException, InterruptedException {
    OtherSystems.answerWithin(200, 800);
    if (account.debit().compareTo(account.credit()) != 0) {
      throw new OutOfBalanceException(account);
    }
  }

  /** Creates one statement. */
  @Handles
  public void make(Statement statement) throws InterruptedException {
    OtherSystems.answerWithin(1_000, 3_000);
  }
}
