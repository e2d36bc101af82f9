/**
 * Contains the operations of the engine on jobs and nodes in the database, such as every transition
 * of a job that a node holds. Rows are returned as plain records and never as managed entities.
 *
 * <p>Reads and changes that only operators and the console need are in {@code admin.store}, which
 * this package and the engine must not use.
 *
 * <p>This package may depend on {@code sql}, {@code database}, {@code model} and {@code api}.
 */
package org.readpast.store;
