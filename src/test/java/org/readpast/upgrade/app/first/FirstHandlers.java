package org.readpast.upgrade.app.first;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.api.Scheduled;
import org.readpast.upgrade.ChangedJobs;
import org.readpast.upgrade.CommonJobs;
import org.readpast.upgrade.FirstVersion;
import org.readpast.upgrade.app.AppLedger;

/** Contains the handlers with payloads of the first version. */
@ApplicationScoped
public class FirstHandlers {
  @Inject AppLedger ledger;

  @Produces
  ChangedJobs jobs() {
    return new FirstVersion();
  }

  @Handles
  public void mail(FirstVersion.Mail job, JobContext context) {
    ledger.worked("mail", job.n(), context);
  }

  @Handles
  @Receive(ReceiveMode.LEASED)
  public void parcel(FirstVersion.Parcel job, JobContext context) {
    ledger.worked("parcel", job.n(), context);
  }

  @Handles
  public void invoice(FirstVersion.Invoice job, JobContext context) {
    ledger.worked("invoice", job.n(), context);
  }

  @Scheduled(name = "tick.first", every = "PT1S", queue = CommonJobs.QUEUE)
  void tick(JobContext context) {
    ledger.ticked("tick.first", context);
  }
}
