package org.readpast.server.console;

import org.junit.jupiter.api.BeforeAll;

/** Tests how users sign in to the console and navigate it. */
class ConsoleIT extends ConsoleTest
    implements SigningIn,
        FirstLoad,
        EveryPage,
        HostileTexts,
        OperationPages,
        LiveUpdates,
        Addresses,
        WhoMayDoWhat,
        DocumentationPages,
        ConsoleModules,
        LiveCharts {
  @BeforeAll
  void givenSomethingToShow() {
    fill();
  }
}
