/** Servers and databases that die while jobs run; most of it runs with {@code -Pfaults}. */
package org.readpast.server.recovery;
