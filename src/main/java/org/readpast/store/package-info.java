/**
 * Contains the operations of the engine on jobs and nodes in the database, with one method for each
 * transition of a job after it was enqueued. Rows are returned as plain records and never as
 * managed entities.
 *
 * <p>Reads and changes that only operators and the console need are in {@code admin.store}, which
 * this package and the engine must not use.
 *
 * <p>This package may depend on {@code sql}, {@code database}, {@code model} and {@code api}.
 */
package org.readpast.store;
