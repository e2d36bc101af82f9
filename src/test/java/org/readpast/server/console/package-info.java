/**
 * Tests of the console in a real browser, all of it on Open Liberty; {@link
 * org.readpast.server.console.ConsoleSmokeIT} opens it on Payara. All tests share one server:
 * {@link org.readpast.server.console.ConsoleIT} runs the tests of the interfaces here, one for each
 * part.
 */
package org.readpast.server.console;
