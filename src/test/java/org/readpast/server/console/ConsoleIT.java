package org.readpast.server.console;

import org.junit.jupiter.api.BeforeAll;

/** The console as people use it. */
class ConsoleIT extends ConsoleTest
    implements SigningIn,
        FirstLoad,
        EveryPage,
        HostileTexts,
        QueuePages,
        JobPages,
        SchedulePages,
        OperationPages,
        BulkChanges,
        BatchPages,
        Graphs,
        JobActions,
        LiveUpdates,
        Addresses,
        WhoMayDoWhat {
  @BeforeAll
  void givenSomethingToShow() {
    fill();
  }
}
