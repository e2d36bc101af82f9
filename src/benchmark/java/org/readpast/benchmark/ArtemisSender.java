package org.readpast.benchmark;

import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;

/**
 * Sends messages in a transacted session. The session is reused, because creating one takes longer
 * than sending a message.
 */
record ArtemisSender(Session session, MessageProducer producer) {
  ArtemisSender(Session session, Queue queue) throws JMSException {
    this(session, session.createProducer(queue));
    // Message ids and timestamps are disabled, as the manual's chapter on performance recommends,
    // because they take time and no consumer reads them.
    producer.setDisableMessageID(true);
    producer.setDisableMessageTimestamp(true);
  }

  void send(int number) throws JMSException {
    var message = session.createTextMessage(Peer.PAYLOAD);
    message.setIntProperty("number", number);
    producer.send(message);
  }
}
