package org.readpast.server.console;

/** The console as people use it. */
class ConsoleIT extends ConsoleTest
    implements SigningIn,
        FirstLoad,
        EveryPage,
        HostileTexts,
        QueuePages,
        JobPages,
        SchedulePages,
        OperationPages {}
