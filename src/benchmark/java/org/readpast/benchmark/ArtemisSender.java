package org.readpast.benchmark;

import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;

/**
 * A transacted session that sends. It is reused, because creating one costs more than a message.
 */
record ArtemisSender(Session session, MessageProducer producer) {
  ArtemisSender(Session session, Queue queue) throws JMSException {
    this(session, session.createProducer(queue));
    // As in the manual's chapter on performance: both cost time, and no consumer reads them here.
    producer.setDisableMessageID(true);
    producer.setDisableMessageTimestamp(true);
  }

  void send(int number) throws JMSException {
    var message = session.createTextMessage(Peer.PAYLOAD);
    message.setIntProperty("number", number);
    producer.send(message);
  }
}
