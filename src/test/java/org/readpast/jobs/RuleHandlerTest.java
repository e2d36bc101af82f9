package org.readpast.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobContext;

class RuleHandlerTest {
  /** Without the check of the queue, an operator of one queue could run rules of any queue. */
  @Test
  void job_of_another_queue_cannot_fill_the_rule() throws Exception {
    JobContext context =
        (JobContext)
            Proxy.newProxyInstance(
                JobContext.class.getClassLoader(),
                new Class<?>[] {JobContext.class},
                (proxy, method, arguments) -> method.getName().equals("queue") ? "mail" : null);

    assertThat(new RuleHandler().handle(new FillRule("payroll"), context).toString())
        .contains("rules are run by jobs of queue 'readpast'")
        .contains("queue 'mail'");
  }
}
