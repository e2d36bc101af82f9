package org.readpast.upgrade.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.readpast.api.Background;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.api.Retries;
import org.readpast.api.Scheduled;
import org.readpast.upgrade.CommonJobs;
import org.readpast.upgrade.CommonJobs.Again;
import org.readpast.upgrade.CommonJobs.Call;
import org.readpast.upgrade.CommonJobs.Limited;
import org.readpast.upgrade.CommonJobs.Note;

/** Contains the handlers that both versions share. */
@ApplicationScoped
public class CommonHandlers {
  @Inject AppLedger ledger;

  @Handles
  public void note(Note job, JobContext context) {
    ledger.worked("note", job.n(), context);
  }

  @Handles
  @Retries(delay = "PT0.2S")
  public void again(Again job, JobContext context) {
    CommonJobs.again(ledger, job, context);
  }

  @Handles
  @Receive(ReceiveMode.LEASED)
  public void call(Call job, JobContext context) {
    ledger.worked("call", job.n(), context);
  }

  @Handles
  @Receive(ReceiveMode.LEASED)
  public void limited(Limited job, JobContext context) throws InterruptedException {
    CommonJobs.limited(ledger, job, context);
  }

  @Background(queue = CommonJobs.QUEUE)
  public void inBackground(long n, JobContext context) {
    ledger.worked("background", n, context);
  }

  @Scheduled(name = "tick", every = "PT1S", queue = CommonJobs.QUEUE)
  void tick(JobContext context) {
    ledger.ticked("tick", context);
  }
}
