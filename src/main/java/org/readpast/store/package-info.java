/**
 * Contains what the engine does with jobs in the database, with one method for each transition.
 * Statements are JPA native queries, so that they run in the container's transactions. Rows are
 * returned as plain records, never as managed entities.
 *
 * <p>Reads and changes that only operators and the console need are in {@code admin.store}, which
 * neither this package nor the engine may use. {@link org.readpast.store.Sql} and {@link
 * org.readpast.store.Row} are public only for {@code admin.store}, {@code schedule} and {@code
 * retention}.
 *
 * <p>This package may use {@code sql}, {@code model}, {@code api} and JPA.
 */
package org.readpast.store;
