package org.readpast.example.demo;

import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.ConnectException;
import org.readpast.api.Backoff;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobType;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.api.Retries;

/** Sends files to partners, with few and slow jobs. */
@ApplicationScoped
public class Exports {
  static final String CLOSED = "sftp://closed.example.com/in";

  /** Holds the payload of a job that sends a file. */
  @JobType(value = "export.file", queue = "exports")
  public record Export(String file, String target, int rows) {}

  /**
   * Sends one file. The target that is closed is tried three times, and then its job is a dead
   * letter.
   */
  @Handles
  @Receive(ReceiveMode.LEASED)
  @Retries(maxAttempts = 3, backoff = Backoff.FIXED, delay = "PT10S")
  public void send(Export export, JobContext context) throws Exception {
    context.log("connecting to " + export.target());
    if (export.target().equals(CLOSED)) {
      throw new IOException(
          "cannot send " + export.file(), new ConnectException("Connection refused"));
    }
    context.progress(0, export.rows());
    OtherSystems.answerWithin(500, 2_500);
    context.progress(export.rows() / 2, export.rows());
    if (OtherSystems.fail(0.1, context.attempt())) {
      throw new IOException("Connection reset by peer after " + export.rows() / 2 + " rows");
    }
    OtherSystems.answerWithin(500, 2_500);
    context.progress(export.rows(), export.rows());
  }
}
