/**
 * Every statement that only operators and the console send, one method each, by the rules of {@code
 * sql}.
 *
 * <p>Knows the JDK, {@code sql} and {@link org.readpast.schedule.ScheduleSql}, of which it uses
 * fragments of statements.
 */
package org.readpast.admin.sql;
