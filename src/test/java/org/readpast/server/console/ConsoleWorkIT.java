package org.readpast.server.console;

import org.junit.jupiter.api.BeforeAll;

/** Tests how users work with the console. */
class ConsoleWorkIT extends ConsoleTest
    implements QueuePages,
        JobPages,
        JobFilters,
        SchedulePages,
        BulkChanges,
        BatchPages,
        Graphs,
        JobActions {
  @BeforeAll
  void givenSomethingToShow() {
    fill();
  }
}
