/**
 * Holds every statement that only operators and the console send, one method each, following the
 * rules of {@code sql}.
 *
 * <p>Knows the JDK, {@code sql} and {@link org.readpast.schedule.ScheduleSql}, from which it uses
 * statement fragments.
 */
package org.readpast.admin.sql;
