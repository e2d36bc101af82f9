package org.readpast.example.archive;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.readpast.api.JobQueue;

/** Starts runs, and reports their progress. */
@Path("runs")
@Produces(MediaType.APPLICATION_JSON)
@RequestScoped
public class RunsResource {
  @PersistenceContext(unitName = "archive")
  private EntityManager entities;

  @Inject private JobQueue jobs;
  @Inject private ArchiveProof proof;
  @Context private UriInfo uri;

  /** Holds the response to starting a run. */
  public record Started(long runId, long documents, URI status) {}

  /** Identifies the state of a run. */
  public enum State {
    LOADING,
    ARCHIVING,
    DONE
  }

  /** Describes the progress of a run. */
  public record Status(
      long runId, State state, long expected, long loaded, long remaining, long archived) {}

  /** Starts a run: its row and its first job are created in one transaction. */
  @POST
  @Transactional
  public Response start() throws IOException {
    var run = new ArchiveRun(Originals.count());
    entities.persist(run);
    entities.flush();
    jobs.enqueue(new LoadChunk(run.id(), ""));
    URI status = uri.getAbsolutePathBuilder().path(Long.toString(run.id())).build();
    return Response.accepted(new Started(run.id(), run.expected(), status))
        .location(status)
        .build();
  }

  /** Returns all runs, the latest first. */
  @GET
  public List<Status> list() {
    return entities
        .createQuery("select r from ArchiveRun r order by r.id desc", ArchiveRun.class)
        .getResultStream()
        .map(this::status)
        .toList();
  }

  /** Returns one run. */
  @GET
  @Path("{id}")
  public Status status(@PathParam("id") long id) {
    return status(find(id));
  }

  /** Returns the proof that a run has archived each file exactly once. */
  @GET
  @Path("{id}/proof")
  public ArchiveProof.Findings proof(@PathParam("id") long id) throws IOException {
    return proof.of(find(id).id());
  }

  private ArchiveRun find(long id) {
    ArchiveRun run = entities.find(ArchiveRun.class, id);
    if (run == null) {
      String reason = "run " + id + " does not exist";
      throw new NotFoundException(
          Response.status(404).type(MediaType.TEXT_PLAIN).entity(reason).build());
    }
    return run;
  }

  // The row is read first: if it says that all files are loaded, the number of documents can only
  // decrease.
  private Status status(ArchiveRun run) {
    long remaining = count("select count(d) from Document d where d.runId = :run", run);
    long archived = count("select count(a) from ArchivedDocument a where a.runId = :run", run);
    State state =
        run.loaded() < run.expected()
            ? State.LOADING
            : remaining > 0 ? State.ARCHIVING : State.DONE;
    return new Status(run.id(), state, run.expected(), run.loaded(), remaining, archived);
  }

  private long count(String query, ArchiveRun run) {
    return entities.createQuery(query, Long.class).setParameter("run", run.id()).getSingleResult();
  }
}
