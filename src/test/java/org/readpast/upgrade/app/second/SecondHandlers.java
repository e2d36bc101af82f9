package org.readpast.upgrade.app.second;

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
import org.readpast.upgrade.SecondVersion;
import org.readpast.upgrade.app.AppLedger;

/** Contains the handlers with payloads of the second version. */
@ApplicationScoped
public class SecondHandlers {
  @Inject AppLedger ledger;

  @Produces
  ChangedJobs jobs() {
    return new SecondVersion();
  }

  @Handles
  public void mail(SecondVersion.Mail job, JobContext context) {
    ledger.worked("mail", job.n(), context);
  }

  @Handles
  @Receive(ReceiveMode.LEASED)
  public void parcel(SecondVersion.Shipment job, JobContext context) {
    ledger.worked("parcel", job.n(), context);
  }

  @Handles
  public void invoice(SecondVersion.Invoice job, JobContext context) {
    ledger.worked("invoice", job.n(), context);
  }

  @Scheduled(name = "tick.second", every = "PT1S", queue = CommonJobs.QUEUE)
  void tick(JobContext context) {
    ledger.ticked("tick.second", context);
  }
}
