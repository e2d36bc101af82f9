/**
 * Tests the console in a real browser, completely on Open Liberty; {@link
 * org.readpast.server.console.ConsoleSmokeIT} opens it on Payara. All tests share one server:
 * {@link org.readpast.server.console.ConsoleIT} runs the tests of the interfaces in this package,
 * one for each part of the console.
 */
package org.readpast.server.console;
