/**
 * Reaches the database: sends statements, reads rows, begins transactions, recognizes transient
 * errors, tracks outages, and combines the calls of several threads. Statements are JPA native
 * queries, so that they run in the container's transactions.
 *
 * <p>{@link org.readpast.database.Sql} and {@link org.readpast.database.Row} are only for the
 * stores; an architecture test names the packages that may use them.
 *
 * <p>This package may depend on {@code model}, {@code api} and JPA.
 */
package org.readpast.database;
