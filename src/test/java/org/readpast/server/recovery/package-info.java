/**
 * Tests servers and databases that crash while jobs run; most of these tests run with {@code
 * -Pfaults}.
 */
package org.readpast.server.recovery;
