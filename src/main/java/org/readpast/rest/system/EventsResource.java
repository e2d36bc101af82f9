package org.readpast.rest.system;

import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Overview;
import org.readpast.admin.Scoped;
import org.readpast.admin.store.OverviewReads.Pulse;
import org.readpast.engine.EngineStatus;
import org.readpast.model.QueueAccess;
import org.readpast.model.Role;
import org.readpast.rest.access.AnyQueue;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.http.Answer;
import org.readpast.rest.signin.SignIn;

/** Notifies subscribers that something has happened, so that they need not poll. */
@ApplicationScoped
@Path("events")
public class EventsResource {
  private static final Logger LOG = System.getLogger(EventsResource.class.getName());
  private static final long MILLIS = 2_000;
  private static final int HEARTBEAT_ROUNDS = 7;
  private static final int MOST_SUBSCRIBERS = 200;
  private static final int MOST_OF_ONE_USER = 50;

  @Inject Scoped<Overview> overview;
  @Inject CallerAccess access;
  @Inject EngineStatus engine;

  @Resource(lookup = "java:comp/DefaultManagedScheduledExecutorService")
  ManagedScheduledExecutorService scheduler;

  /** Holds a subscriber, and its session if it has one. */
  private static final class Subscriber {
    private final SseEventSink sink;
    private final @Nullable HttpSession session;
    private final String name;
    private final QueueAccess access;
    private @Nullable CompletionStage<?> sending;

    Subscriber(SseEventSink sink, @Nullable HttpSession session, String name, QueueAccess access) {
      this.access = access;
      this.sink = sink;
      this.session = session;
      this.name = name;
    }

    boolean isGone() {
      return sink.isClosed() || !SignIn.goesOn(session) || isBehind();
    }

    /**
     * Returns true if the subscriber has not read the last event yet. Closing a slow subscriber
     * would block as long as sending to it.
     */
    boolean isBehind() {
      return sending != null && !sending.toCompletableFuture().isDone();
    }

    /** Returns true if nothing has been sent to the subscriber yet. */
    boolean hasReceivedNothing() {
      return sending == null;
    }

    void send(OutboundSseEvent event) {
      sending =
          sink.send(event)
              .whenComplete(
                  (sent, failure) -> {
                    if (failure != null) {
                      close();
                    }
                  });
    }

    void close() {
      sink.close();
    }
  }

  private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
  private @Nullable Sse sse;
  private @Nullable ScheduledFuture<?> rounds;
  // The last event that was sent to all subscribers with the same access.
  private final Map<QueueAccess, Sent> sent = new ConcurrentHashMap<>();

  /**
   * Holds the last event.
   *
   * @param roundsWithoutChange the number of rounds since the last event
   */
  private record Sent(Pulse pulse, int roundsWithoutChange) {}

  /**
   * Reports the counts of all nodes since their start, in the visible queues, and the kinds of
   * other data that have changed.
   *
   * @param changed those of jobs, queues and nodes that have changed; nodes only if the caller's
   *     role covers all queues that are not restricted
   */
  public record PulseAnswer(
      long enqueued, long completed, long failed, long discarded, List<String> changed) {}

  /** Sends a stream of events named {@code pulse}, and {@code end} when the server stops. */
  @GET
  @Produces(MediaType.SERVER_SENT_EVENTS)
  @AnyQueue(Role.VIEWER)
  public void listen(
      @Context SseEventSink sink, @Context Sse factory, @Context HttpServletRequest request) {
    String name = request.getUserPrincipal().getName();
    boolean added = false;
    // The lock is not held while an event is sent, because a slow subscriber can delay the sending
    // for an unlimited time.
    synchronized (this) {
      sse = factory;
      if (!engine.shuttingDown()
          && subscribers.size() < MOST_SUBSCRIBERS
          && subscribers.stream().filter(subscriber -> subscriber.name.equals(name)).count()
              < MOST_OF_ONE_USER) {
        subscribers.add(new Subscriber(sink, request.getSession(false), name, access.of(request)));
        added = true;
        if (rounds == null) {
          sent.clear();
          rounds = scheduler.scheduleWithFixedDelay(this::round, 0, MILLIS, TimeUnit.MILLISECONDS);
        }
      }
    }
    if (!added) {
      sink.close();
    }
  }

  private void round() {
    subscribers.stream().filter(Subscriber::isGone).forEach(this::remove);
    Sse factory;
    synchronized (this) {
      factory = sse;
      if (factory == null || subscribers.isEmpty()) {
        stopRounds();
        return;
      }
    }
    try {
      if (engine.shuttingDown()) {
        send(factory.newEvent("end", "{}"), subscribers);
        close();
        return;
      }
      Map<QueueAccess, List<Subscriber>> byAccess =
          subscribers.stream().collect(Collectors.groupingBy(subscriber -> subscriber.access));
      sent.keySet().retainAll(byAccess.keySet());
      byAccess.forEach((caller, receivers) -> sendPulse(factory, caller, receivers));
    } catch (RuntimeException e) {
      // The consoles continue to poll, and the responses to their requests report the error.
      LOG.log(Level.DEBUG, "the current state could not be read for the event stream", e);
    }
  }

  private void sendPulse(Sse factory, QueueAccess caller, List<Subscriber> receivers) {
    Pulse now = overview.within(caller).pulse();
    Sent before = sent.get(caller);
    if (before == null || !now.equals(before.pulse())) {
      sent.put(caller, new Sent(now, 0));
      PulseAnswer changes = changes(before == null ? null : before.pulse(), now);
      send(factory.newEvent("pulse", Answer.toJson(changes)), receivers);
    } else {
      Sent unchanged = new Sent(now, before.roundsWithoutChange() + 1);
      sent.put(caller, unchanged);
      // The status and the headers of the response are sent with the first event, so a new
      // subscriber
      // soon receives an event.
      boolean toAll = unchanged.roundsWithoutChange() % HEARTBEAT_ROUNDS == 0;
      send(
          factory.newEventBuilder().comment("still here").build(),
          toAll ? receivers : receivers.stream().filter(Subscriber::hasReceivedNothing).toList());
    }
  }

  private void remove(Subscriber subscriber) {
    subscribers.remove(subscriber);
    if (subscriber.isBehind()) {
      try {
        scheduler.execute(subscriber::close);
      } catch (RejectedExecutionException e) {
        LOG.log(Level.DEBUG, "the server is stopping, which ends this stream as well", e);
      }
    } else {
      subscriber.close();
    }
  }

  private static PulseAnswer changes(@Nullable Pulse before, Pulse now) {
    List<String> changed = new ArrayList<>();
    if (before == null
        || before.enqueued() != now.enqueued()
        || before.completed() != now.completed()
        || before.failed() != now.failed()
        || before.discarded() != now.discarded()) {
      changed.add("jobs");
    }
    if (before == null || !before.queues().equals(now.queues())) {
      changed.add("queues");
    }
    if (now.nodes() != null && (before == null || !now.nodes().equals(before.nodes()))) {
      changed.add("nodes");
    }
    return new PulseAnswer(now.enqueued(), now.completed(), now.failed(), now.discarded(), changed);
  }

  private void send(OutboundSseEvent event, List<Subscriber> to) {
    for (Subscriber subscriber : to) {
      try {
        subscriber.send(event);
      } catch (IllegalStateException e) {
        subscribers.remove(subscriber);
      }
    }
  }

  private synchronized void stopRounds() {
    if (rounds != null) {
      rounds.cancel(false);
      rounds = null;
    }
  }

  @PreDestroy
  void close() {
    stopRounds();
    subscribers.forEach(this::remove);
  }
}
