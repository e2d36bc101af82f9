package org.readpast.rest.system;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import org.readpast.admin.Overview;
import org.readpast.admin.Scoped;
import org.readpast.admin.store.NodeView;
import org.readpast.admin.store.OverviewReads;
import org.readpast.admin.store.SystemReads;
import org.readpast.api.JobState;
import org.readpast.engine.EngineStatus;
import org.readpast.model.Role;
import org.readpast.rest.access.AnyQueue;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Problem;
import org.readpast.rest.queues.QueueAnswer;

/** Returns the state of the system in one response. */
@ApplicationScoped
@Path("overview")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class OverviewResource {
  @Inject Scoped<Overview> overview;
  @Inject CallerAccess access;
  @Inject EngineStatus engine;

  /** Holds the content of the console's first page. */
  public record OverviewAnswer(
      OverviewReads.Times waited,
      OverviewReads.Times ran,
      Map<JobState, SystemReads.Total> counts,
      List<QueueAnswer> queues,
      List<NodeView> nodes,
      List<Overview.Notice> attention) {}

  /** Returns the current state of the system. */
  @GET
  @AnyQueue(Role.VIEWER)
  public Response get() {
    Overview.Report report = access.to(overview).report();
    return Answer.of(
            200,
            new OverviewAnswer(
                report.taken().waited(),
                report.taken().ran(),
                report.counts(),
                report.queues().stream()
                    .map(queue -> QueueAnswer.of(queue, engine.settings()))
                    .toList(),
                report.nodes(),
                report.attention()))
        .response();
  }
}
