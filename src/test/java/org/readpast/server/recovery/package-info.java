/**
 * Tests of servers and databases that crash while jobs run; most of them run with {@code -Pfaults}.
 */
package org.readpast.server.recovery;
