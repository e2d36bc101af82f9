package org.readpast.server.recovery;

import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import javax.sql.DataSource;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;

/** Creates a job in one database and a row in another, in one transaction. */
@WebServlet("/order")
public class TwoDatabasesServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Inject transient JobQueue jobs;
  @Inject transient UserTransaction transaction;

  @Resource(lookup = "jdbc/business-xa")
  transient DataSource business;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String mark = request.getParameter("mark");
    try {
      transaction.begin();
      jobs.enqueue(JobRequest.of("order.kept", "text/plain", mark).correlationId(mark));
      try (var connection = business.getConnection();
          var insert = connection.prepareStatement("insert into business_note values (?)")) {
        insert.setString(1, mark);
        insert.executeUpdate();
      }
      transaction.commit();
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
