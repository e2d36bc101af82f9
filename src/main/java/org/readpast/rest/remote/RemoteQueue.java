package org.readpast.rest.remote;

import jakarta.annotation.Resource;
import jakarta.annotation.security.DeclareRoles;
import jakarta.annotation.security.PermitAll;
import jakarta.ejb.Remote;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Browser;
import org.readpast.admin.EndWaiter;
import org.readpast.admin.JobControl;
import org.readpast.admin.JobIntake;
import org.readpast.admin.Limits;
import org.readpast.admin.Scoped;
import org.readpast.api.Enqueued;
import org.readpast.api.ReadpastException;
import org.readpast.api.RemoteJobException;
import org.readpast.api.RemoteJobQueue;
import org.readpast.model.NewJob;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueRoles;
import org.readpast.model.Role;
import org.readpast.rest.access.Roles;
import org.readpast.rest.http.Refusal;
import org.readpast.rest.jobs.JobEdit;

/**
 * Provides the queue to other applications on the same server. Roles are checked here and not by an
 * annotation, so that the exception names the role that the caller lacks.
 */
@Stateless(name = "JobQueueBean")
@Remote(RemoteJobQueue.class)
@DeclareRoles({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
@PermitAll
@TransactionAttribute(TransactionAttributeType.REQUIRED)
public class RemoteQueue implements RemoteJobQueue {
  private static final long LONGEST_WAIT_MILLIS = 60_000;

  @Resource SessionContext context;
  @Inject Scoped<JobIntake> intake;
  @Inject Scoped<JobControl> control;
  @Inject Scoped<Browser> browser;
  @Inject EndWaiter endWaiter;
  @Inject Limits limits;
  @Inject QueueRoles roles;

  @Override
  public long enqueue(String type, String payload, Map<String, String> headers)
      throws RemoteJobException {
    return changing(
        () ->
            intake
                .within(access())
                .enqueue(List.of(jobs(headers).text(type, payload)))
                .get(0)
                .id());
  }

  @Override
  public long enqueueBytes(String type, byte[] payload, Map<String, String> headers)
      throws RemoteJobException {
    return changing(
        () ->
            intake
                .within(access())
                .enqueue(List.of(jobs(headers).bytes(type, payload)))
                .get(0)
                .id());
  }

  @Override
  public List<Long> enqueueAll(String type, List<String> payloads, Map<String, String> headers)
      throws RemoteJobException {
    return changing(
        () -> {
          List<NewJob> all = jobs(headers).texts(type, payloads);
          // Every JVM can deserialize an ArrayList, unlike the list that the stream returns.
          return new ArrayList<>(
              intake.within(access()).enqueue(all).stream().map(Enqueued::id).toList());
        });
  }

  private RemoteRequest jobs(Map<String, String> headers) {
    return new RemoteRequest(headers, limits);
  }

  @Override
  public String state(long id) throws RemoteJobException {
    require(Role.VIEWER);
    return translated(() -> browser.within(access()).summary(id).state().name());
  }

  @Override
  public boolean cancel(long id) throws RemoteJobException {
    return changing(() -> control.within(access()).cancel(id));
  }

  @Override
  public void runNow(long id) throws RemoteJobException {
    changing(
        () -> {
          control.within(access()).runNow(id);
          return id;
        });
  }

  @Override
  public void reschedule(long id, String at) throws RemoteJobException {
    changing(
        () -> {
          control.within(access()).reschedule(id, JobEdit.at(at));
          return id;
        });
  }

  @Override
  public boolean cancelUniqueKey(String uniqueKey) throws RemoteJobException {
    return changing(() -> control.within(access()).cancel(uniqueKey));
  }

  @Override
  public void reset(long id) throws RemoteJobException {
    changing(
        () -> {
          control.within(access()).reset(id, false);
          return id;
        });
  }

  @Override
  @TransactionAttribute(TransactionAttributeType.SUPPORTS)
  public @Nullable String await(long id, long timeoutMillis) throws RemoteJobException {
    require(Role.OPERATOR);
    if (timeoutMillis < 0 || timeoutMillis > LONGEST_WAIT_MILLIS) {
      throw new RemoteJobException(
          "REJECTED",
          "timeoutMillis is " + timeoutMillis + "; specify 0 to " + LONGEST_WAIT_MILLIS);
    }
    String queue = translated(() -> browser.within(access()).summary(id).queue());
    if (!access().has(Role.OPERATOR, queue)) {
      throw new RemoteJobException(
          "FORBIDDEN",
          "only operators may read results, and you do not have the role operator in queue '"
              + queue
              + "'");
    }
    return translated(() -> endWaiter.await(id, Duration.ofMillis(timeoutMillis)).result());
  }

  private QueueAccess access() {
    return roles.access(roles.names().stream().filter(context::isCallerInRole).toList());
  }

  private void require(Role least) throws RemoteJobException {
    if (access().scope(least).isEmpty()) {
      throw new RemoteJobException(
          "FORBIDDEN",
          "'"
              + context.getCallerPrincipal().getName()
              + "' does not have the role "
              + least
              + " in any queue; call as a user that has it");
    }
  }

  /**
   * Executes a change so that, if it is refused, no part of it stays in the caller's transaction.
   */
  private <T> T changing(Callable<T> change) throws RemoteJobException {
    try {
      require(Role.OPERATOR);
      return translated(change);
    } catch (RemoteJobException e) {
      context.setRollbackOnly();
      throw e;
    }
  }

  private static <T extends @Nullable Object> T translated(Callable<T> asked)
      throws RemoteJobException {
    try {
      return asked.call();
    } catch (ReadpastException e) {
      throw new RemoteJobException(code(e), e.getMessage());
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static String code(ReadpastException refused) {
    Refusal refusal = Refusal.of(refused);
    return (refusal == null ? Refusal.REJECTED : refusal).name();
  }
}
