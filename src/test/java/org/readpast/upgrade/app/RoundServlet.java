package org.readpast.upgrade.app;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import org.readpast.api.JobQueue;
import org.readpast.upgrade.ChangedJobs;
import org.readpast.upgrade.Rounds;

/** Enqueues a round of jobs, in one transaction with their promises in the ledger. */
@WebServlet("/round")
public class RoundServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Inject transient JobQueue jobs;
  @Inject transient AppLedger ledger;
  @Inject transient CommonHandlers common;
  @Inject transient ChangedJobs changed;
  @Inject transient UserTransaction transaction;

  /** Responds when the application is ready. */
  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    response.setStatus(HttpServletResponse.SC_OK);
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      transaction.begin();
      try {
        new Rounds(jobs, ledger, changed, n -> common.inBackground(n, null)).enqueue();
      } catch (RuntimeException e) {
        transaction.rollback();
        throw e;
      }
      transaction.commit();
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
