/**
 * The jobs in the database: one verb for each transition, and paged reads. Statements go through
 * JPA native queries, so that they run in the container's transactions; rows come back as plain
 * records, never as managed entities.
 *
 * <p>Knows {@code sql}, {@code model}, {@code api} and JPA.
 */
package org.readpast.store;
