/**
 * What the engine does with jobs in the database: one verb for each transition. Statements go
 * through JPA native queries, so that they run in the container's transactions; rows are returned
 * as plain records, never as managed entities.
 *
 * <p>What operators and the console read and change is in {@code admin.store}, which neither this
 * package nor the engine knows. {@link org.readpast.store.Sql} and {@link org.readpast.store.Row}
 * are public for {@code admin.store}, {@code schedule} and {@code retention} only.
 *
 * <p>Knows {@code sql}, {@code model}, {@code api} and JPA.
 */
package org.readpast.store;
