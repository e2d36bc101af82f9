package org.readpast.benchmark;

import java.nio.file.Path;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.io.aio.AIOSequentialFileFactory;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/**
 * Runs an Artemis broker in this JVM, with one durable queue and the settings that its chapter on
 * performance recommends.
 */
final class ArtemisBroker {
  static final String QUEUE = "jobs";
  static final String URL = "vm://0";

  // The maximum time that a sync waits for other writes to join it. The default without libaio is
  // 3.3 ms.
  private static final int JOURNAL_BUFFER_NANOS = 200_000;
  // The number of journal files is so large that none is created while messages wait.
  private static final int JOURNAL_FILES = 10;

  private ArtemisBroker() {}

  static EmbeddedActiveMQ start(Path directory) throws Exception {
    var configuration =
        new ConfigurationImpl()
            .setPersistenceEnabled(true)
            .setSecurityEnabled(false)
            .setJMXManagementEnabled(false)
            .setJournalType(
                AIOSequentialFileFactory.isSupported() ? JournalType.ASYNCIO : JournalType.NIO)
            .setJournalBufferTimeout_AIO(JOURNAL_BUFFER_NANOS)
            .setJournalBufferTimeout_NIO(JOURNAL_BUFFER_NANOS)
            .setJournalMinFiles(JOURNAL_FILES)
            .setJournalPoolFiles(JOURNAL_FILES)
            .setJournalDirectory(directory.resolve("journal").toString())
            .setBindingsDirectory(directory.resolve("bindings").toString())
            .setPagingDirectory(directory.resolve("paging").toString())
            .setLargeMessagesDirectory(directory.resolve("large").toString())
            .addAcceptorConfiguration("in-vm", URL)
            .addQueueConfiguration(
                QueueConfiguration.of(QUEUE).setRoutingType(RoutingType.ANYCAST));
    return new EmbeddedActiveMQ().setConfiguration(configuration).start();
  }
}
