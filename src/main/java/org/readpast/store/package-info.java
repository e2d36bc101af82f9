/**
 * Contains the engine's operations on jobs in the database, with one method for each transition.
 * Statements are JPA native queries, so that they run in the container's transactions. Rows are
 * returned as plain records and never as managed entities.
 *
 * <p>Reads and changes that only operators and the console need are in {@code admin.store}, which
 * this package and the engine must not use. {@link org.readpast.store.Sql} and {@link
 * org.readpast.store.Row} are public only for {@code admin.store}, {@code schedule} and {@code
 * retention}.
 *
 * <p>This package may depend on {@code sql}, {@code model}, {@code api} and JPA.
 */
package org.readpast.store;
