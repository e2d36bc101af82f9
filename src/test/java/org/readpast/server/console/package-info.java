/**
 * The console in a real browser, all of it on Open Liberty; {@link
 * org.readpast.server.console.ConsoleSmokeIT} opens it on Payara. One server serves all: {@link
 * org.readpast.server.console.ConsoleIT} runs the tests of the interfaces here, one for each part.
 */
package org.readpast.server.console;
