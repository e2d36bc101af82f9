/**
 * Provides a queue for unit tests of applications: in memory, without a server or a database, on a
 * clock that the test moves. Start with {@link org.readpast.testkit.TestJobQueue}.
 *
 * <p>The test kit judges attempts, checks requests and writes payloads with the code of the real
 * engine. The effects on other jobs have a separate implementation, and the same tests verify that
 * the test kit and the real engine behave equally. Only the test jar contains this package; the WAR
 * and the lib jar do not.
 */
package org.readpast.testkit;
