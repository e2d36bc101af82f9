/**
 * Others' programs between or below the servers, as processes that tests start, kill and freeze:
 * PostgreSQL under Patroni, pgbouncer. They are the system's own ({@code
 * src/it/faults/install-tools.sh}); tests that need what is not installed are skipped, and say so.
 * Only {@code -Pfaults} runs these tests.
 */
package org.readpast.faults;
