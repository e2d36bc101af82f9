package org.readpast.server.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.readpast.api.Background;
import org.readpast.api.JobContext;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.api.Retries;

/** Contains background methods: each call is a job. */
@ApplicationScoped
public class BackgroundTasks extends InheritedBackgroundTasks {
  @Inject Script script;
  @Inject Rows rows;
  @Inject BackgroundTasks self;

  @Background
  public void take(
      String mark,
      int number,
      BigDecimal price,
      Payloads.Line line,
      List<Payloads.Line> lines,
      Map<String, Integer> counts,
      Instant moment,
      UUID uuid,
      Payloads.Colour colour,
      byte[] bytes,
      JobContext context,
      Long nothing) {
    script.saw(
        mark,
        Arrays.asList(
            number,
            price,
            line,
            lines,
            counts,
            moment,
            uuid,
            colour,
            List.of(bytes[0], bytes[1]),
            context.type(),
            nothing));
  }

  /** Runs in a separate transaction when a worker calls it, but not when the application does. */
  @Background
  @Transactional(Transactional.TxType.REQUIRES_NEW)
  public void apart(String note) {
    rows.write(note);
  }

  @Background
  public void write(String note) {
    rows.write(note);
  }

  /** Calls a method of the bean directly, so that no job is enqueued. */
  public void writeAtOnce(String note) {
    write(note);
  }

  @Background(type = "tasks.countdown", queue = "tasks", priority = 7)
  public void countDown(String mark, int from) {
    script.saw(mark, from);
    if (from > 0) {
      self.countDown(mark, from - 1);
    }
  }

  @Background
  @Receive(ReceiveMode.LEASED)
  @Retries(maxAttempts = 2, delay = "PT0.1S", jitter = 0)
  public void fail(String mark, JobContext context) throws Exception {
    script.saw(mark, context.attempt() + " of " + context.id());
    throw new Exception("it never works");
  }
}
