package org.readpast.benchmark;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntConsumer;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * Artemis in this JVM, with durable messages and transacted sessions. Artemis writes no business
 * row, because a common commit would require XA.
 */
final class ArtemisPeer implements Peer {
  private static final int CONSUMERS = 8;
  private static final int SENDERS = 8;
  private static final int SENT_PER_COMMIT = 1_000;

  private final int messagesPerCommit;
  private final EmbeddedActiveMQ broker;
  private final ActiveMQConnectionFactory factory;
  private final Connection connection;
  private final Queue queue;
  private final BlockingQueue<ArtemisSender> senders = new LinkedBlockingQueue<>();
  private final List<Thread> consumers = new ArrayList<>();
  private volatile boolean consuming;

  /**
   * Creates the peer. The journal of Artemis is in the given directory, on the same disk as
   * PostgreSQL, for comparison.
   */
  ArtemisPeer(Path directory, int messagesPerCommit) throws Exception {
    this.messagesPerCommit = messagesPerCommit;
    broker = ArtemisBroker.start(directory);
    factory = new ActiveMQConnectionFactory(ArtemisBroker.URL);
    connection = factory.createConnection();
    connection.start();
    queue = transacted().createQueue(ArtemisBroker.QUEUE);
    for (int i = 0; i < SENDERS; i++) {
      senders.add(new ArtemisSender(transacted(), queue));
    }
  }

  @Override
  public String name() {
    return "Artemis (in-VM, " + messagesPerCommit + " per commit)";
  }

  @Override
  public void enqueue(int number) throws Exception {
    var sender = senders.take();
    try {
      sender.send(number);
      sender.session().commit();
    } finally {
      senders.add(sender);
    }
  }

  @Override
  public void enqueueAll(int jobs) throws Exception {
    var sender = senders.take();
    try {
      for (int number = 0; number < jobs; number++) {
        sender.send(number);
        if (number % SENT_PER_COMMIT == SENT_PER_COMMIT - 1) {
          sender.session().commit();
        }
      }
      sender.session().commit();
    } finally {
      senders.add(sender);
    }
  }

  @Override
  public void start(IntConsumer handler) throws JMSException {
    consuming = true;
    for (int i = 0; i < CONSUMERS; i++) {
      var session = transacted();
      var thread = new Thread(() -> consume(session, handler), "artemis-consumer-" + i);
      thread.start();
      consumers.add(thread);
    }
  }

  private void consume(Session session, IntConsumer handler) {
    try (session;
        var consumer = session.createConsumer(queue)) {
      var uncommitted = 0;
      while (consuming) {
        var message = consumer.receive(uncommitted == 0 ? 100 : 1);
        if (message != null) {
          handler.accept(message.getIntProperty("number"));
          uncommitted++;
        }
        if (uncommitted == messagesPerCommit || (message == null && uncommitted > 0)) {
          session.commit();
          uncommitted = 0;
        }
      }
      session.commit();
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void stop() throws InterruptedException {
    consuming = false;
    for (var consumer : consumers) {
      consumer.join();
    }
    consumers.clear();
  }

  @Override
  public void clear() throws Exception {
    broker.getActiveMQServer().locateQueue(ArtemisBroker.QUEUE).deleteAllReferences();
  }

  @Override
  public void close() throws Exception {
    stop();
    connection.close();
    factory.close();
    broker.stop();
  }

  private Session transacted() throws JMSException {
    return connection.createSession(true, Session.SESSION_TRANSACTED);
  }
}
