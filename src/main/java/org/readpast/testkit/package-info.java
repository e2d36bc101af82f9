/**
 * A queue for unit tests of applications: in memory, without a server or a database, on a clock
 * that the test moves. Begin with {@link org.readpast.testkit.TestJobQueue}.
 *
 * <p>It judges attempts, checks requests and writes payloads with the code of the real engine; what
 * follows from that for other jobs it works out by itself, and the same tests hold it and the real
 * engine to the same answers. In the test jar only: neither the WAR nor the lib jar carries it.
 */
package org.readpast.testkit;
