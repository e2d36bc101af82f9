/**
 * Contains every statement that only operators and the console send, one method each, following the
 * rules of {@code sql}.
 *
 * <p>This package depends on {@code sql} and on {@link org.readpast.schedule.ScheduleSql}, from
 * which it uses statement fragments.
 */
package org.readpast.admin.sql;
