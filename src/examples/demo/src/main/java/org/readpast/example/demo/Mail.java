package org.readpast.example.demo;

import jakarta.enterprise.context.ApplicationScoped;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobType;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.api.Retries;

/**
 * Sends mail. The handler is LEASED, because another system sends the mail, and no row of this
 * application is changed.
 */
@ApplicationScoped
public class Mail {
  static final String UNKNOWN_DOMAIN = "example.invalid";

  /** Holds the payload of a job that sends one mail. */
  @JobType(value = "mail.send", queue = "mail")
  public record Message(String template, String to, String subject) {}

  /**
   * Sends one mail. Some mails time out and are retried. A mail to a domain that does not exist is
   * discarded immediately: correct its address in the console and reset the job.
   */
  @Handles
  @Receive(ReceiveMode.LEASED)
  @Retries(delay = "PT5S", abortOn = UnknownHostException.class)
  public void send(Message mail, JobContext context) throws Exception {
    OtherSystems.answerWithin(20, 400);
    if (mail.to().endsWith("@" + UNKNOWN_DOMAIN)) {
      throw new UnknownHostException(UNKNOWN_DOMAIN + " has no mail exchanger");
    }
    if (OtherSystems.fail(0.05, context.attempt())) {
      throw new SocketTimeoutException("Read timed out: smtp.example.com:587");
    }
  }
}
