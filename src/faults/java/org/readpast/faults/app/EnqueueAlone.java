package org.readpast.faults.app;

import jakarta.inject.Inject;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;

/**
 * Enqueues a job outside a transaction, as an application may do. Requests have the same form as
 * those of the REST API.
 */
@WebServlet(EnqueueAlone.PATH)
public class EnqueueAlone extends HttpServlet {
  private static final long serialVersionUID = 1L;

  /** Contains the path of the servlet; the queue is a parameter. */
  public static final String PATH = "/faults/jobs";

  @Inject transient JobQueue jobs;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try (var reader = Json.createReader(request.getInputStream())) {
      JsonObject job = reader.readObject();
      long id =
          jobs.enqueue(
                  JobRequest.of(
                          job.getString("type"), "application/json", job.get("payload").toString())
                      .queue(request.getParameter("queue"))
                      .correlationId(job.getString("correlationId"))
                      .priority(job.getInt("priority"))
                      .maxAttempts(job.getInt("maxAttempts")))
              .id();
      response.setStatus(HttpServletResponse.SC_CREATED);
      response.getWriter().print(Json.createObjectBuilder().add("id", id).build());
    }
  }
}
