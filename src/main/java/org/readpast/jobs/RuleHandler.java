package org.readpast.jobs;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.RuleControl;
import org.readpast.admin.RuleFill;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.engine.LeasedModePredicate;

/** Handles {@link FillRule}, in several short transactions. */
@ApplicationScoped
@Receive(ReceiveMode.LEASED)
public class RuleHandler implements JobHandler<FillRule>, LeasedModePredicate<FillRule> {
  @Inject RuleFill fill;

  @Override
  public JobResult handle(FillRule job, JobContext context) throws Exception {
    // A caller that may enqueue to another queue is not necessarily allowed to fill rules.
    if (!context.queue().equals(RuleControl.QUEUE)) {
      return JobResult.failNow(
          "rules are run by jobs of queue '"
              + RuleControl.QUEUE
              + "', but this job is in queue '"
              + context.queue()
              + "'; run the rule with POST /api/rules/{name}/runs");
    }
    @Nullable String rule = job.rule();
    return rule == null
        ? JobResult.failNow("the payload names no rule; specify {\"rule\": \"<name>\"}")
        : fill.fill(rule, context);
  }

  /**
   * Returns true regardless of the configuration, because a run of a rule needs many transactions.
   */
  @Override
  public boolean leased(FillRule job) {
    return true;
  }
}
