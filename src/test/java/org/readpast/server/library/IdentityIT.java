package org.readpast.server.library;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.annotation.Resource;
import jakarta.annotation.security.DeclareRoles;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.authentication.mechanism.http.BasicAuthenticationMechanismDefinition;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.IdentityStore;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.api.Background;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobRequest;
import org.readpast.api.JobType;
import org.readpast.server.app.Application;
import org.readpast.server.app.Rows;
import org.readpast.support.Http;

/** Tests the caller that is signed in to an application when it enqueues, and what that permits. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class IdentityIT {
  @ArquillianResource URI base;

  @Deployment
  static WebArchive application() {
    return Application.archive("identity", IdentityIT.class);
  }

  /** May be enqueued by any caller. */
  @JobType("identity.open")
  public record Open(String text) {}

  /** Is restricted to accountants by its handler. */
  @JobType("identity.posting")
  public record Posting(String text) {}

  /** Is restricted to accountants by its own annotation. */
  @RolesAllowed({"accountant", "chief"})
  @JobType("identity.closing")
  public record Closing(String text) {}

  /** Handles the jobs, and records the caller that enqueued them. */
  @ApplicationScoped
  public static class Ledger {
    @Handles
    public String open(Open job, JobContext context) {
      return job.text() + " by " + context.enqueuedBy();
    }

    @Handles
    @RolesAllowed("accountant")
    public String post(Posting job, JobContext context) {
      context.enqueue(new Closing("then"));
      return job.text() + " by " + context.enqueuedBy();
    }

    @Handles
    public String close(Closing job, JobContext context) {
      return job.text() + " by " + context.enqueuedBy();
    }

    @Background(type = "identity.background")
    @RolesAllowed("accountant")
    public void audit(String text) {}
  }

  /** Ann is an accountant, Bob is a clerk; their passwords are their names. */
  @ApplicationScoped
  @BasicAuthenticationMechanismDefinition(realmName = "identity")
  public static class People implements IdentityStore {
    public CredentialValidationResult validate(UsernamePasswordCredential credential) {
      String name = credential.getCaller();
      if (!credential.compareTo(name, name)) {
        return CredentialValidationResult.INVALID_RESULT;
      }
      return new CredentialValidationResult(
          name, Set.of(name.equals("ann") ? "accountant" : "clerk"));
    }
  }

  /** Enqueues jobs in the name of the caller of the request. */
  @WebServlet("/desk")
  @DeclareRoles({"accountant", "clerk", "chief"})
  public static class Desk extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Inject transient JobQueue jobs;
    @Inject transient Ledger ledger;
    @Inject transient Rows rows;

    @Resource(lookup = "java:comp/DefaultManagedExecutorService")
    transient ManagedExecutorService executor;

    private void elsewhere(Runnable enqueue) throws ServletException {
      try {
        executor.submit(enqueue).get();
      } catch (InterruptedException | ExecutionException e) {
        throw new ServletException(e);
      }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      if (request.getHeader("Authorization") != null && !request.authenticate(response)) {
        return;
      }
      response.setContentType("text/plain");
      try {
        response.getWriter().print(answer(request.getParameter("job")));
      } catch (JobRejectedException e) {
        response.getWriter().print("refused: " + e.getMessage());
      }
    }

    private String answer(String job) throws ServletException {
      switch (job) {
        case "open" -> jobs.enqueue(new Open("open"));
        case "open elsewhere" -> elsewhere(() -> jobs.enqueue(new Open("open")));
        case "posting" -> jobs.enqueue(new Posting("posting"));
        case "posting by name" ->
            jobs.enqueue(JobRequest.of("identity.posting", "application/json", "{\"text\":\"x\"}"));
        case "many" -> jobs.enqueueAll(List.of(new Open("open"), new Posting("posting")));
        case "background" -> ledger.audit("books");
        default -> jobs.enqueue(new Closing("closing"));
      }
      String id =
          rows.value(
              "select max(id) from (select id from readpast_job union all"
                  + " select id from readpast_job_history) j");
      long number = Long.parseLong(id);
      var ended = jobs.await(number, Duration.ofSeconds(20));
      return ended.state()
          + " "
          + rows.value(
              "select concat_ws('|', enqueued_by, enqueuer_roles, result) from readpast_job_history"
                  + " where id = ?",
              number);
    }
  }

  private String desk(String user, String job) throws Exception {
    var request =
        HttpRequest.newBuilder(base.resolve("desk?job=" + job.replace(" ", "%20")))
            .timeout(Duration.ofSeconds(60));
    if (user != null) {
      String login = Base64.getEncoder().encodeToString((user + ":" + user).getBytes());
      request.header("Authorization", "Basic " + login);
    }
    var answer = Http.CLIENT.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void job_records_the_name_of_its_caller() throws Exception {
    assertThat(desk("ann", "open")).isEqualTo("COMPLETED ann|accountant|\"open by ann\"");
    assertThat(desk("bob", "open")).isEqualTo("COMPLETED bob|\"open by bob\"");
    assertThat(desk(null, "open")).isEqualTo("COMPLETED \"open by null\"");
  }

  @Test
  void threads_that_work_for_a_caller_enqueue_under_its_name() throws Exception {
    assertThat(desk("ann", "open elsewhere")).endsWith("\"open by ann\"");
    assertThat(desk(null, "open elsewhere")).endsWith("\"open by null\"");
    assertThat(desk("bob", "open elsewhere")).endsWith("\"open by bob\"");
  }

  @Test
  void caller_in_the_role_may_enqueue_a_restricted_job() throws Exception {
    assertThat(desk("ann", "posting")).startsWith("COMPLETED ann|accountant|\"");
    assertThat(desk("ann", "posting by name")).startsWith("COMPLETED ann|accountant|\"");
    assertThat(desk("ann", "closing")).isEqualTo("COMPLETED ann|accountant|\"closing by ann\"");
    assertThat(desk("ann", "background")).isEqualTo("COMPLETED ann|accountant");
  }

  @Test
  void caller_without_the_role_is_refused_at_the_enqueue() throws Exception {
    for (String job : List.of("posting", "posting by name", "many", "closing", "background")) {
      assertThat(desk("bob", job))
          .as(job)
          .startsWith("refused: jobs of type 'identity.")
          .contains("may only be enqueued by callers with one of the roles [accountant")
          .contains("but 'bob' has none of them");
      assertThat(desk(null, job)).as(job).contains("but no user is signed in");
    }
  }
}
