package org.readpast.server.console;

import org.junit.jupiter.api.BeforeAll;

/** The console as people work with it. */
class ConsoleWorkIT extends ConsoleTest
    implements QueuePages, JobPages, SchedulePages, BulkChanges, BatchPages, Graphs, JobActions {
  @BeforeAll
  void givenSomethingToShow() {
    fill();
  }
}
