package org.readpast.server.console;

import org.junit.jupiter.api.BeforeAll;

/** The console as people come into it and find their way. */
class ConsoleIT extends ConsoleTest
    implements SigningIn,
        FirstLoad,
        EveryPage,
        HostileTexts,
        OperationPages,
        LiveUpdates,
        Addresses,
        WhoMayDoWhat,
        DocumentationPages {
  @BeforeAll
  void givenSomethingToShow() {
    fill();
  }
}
