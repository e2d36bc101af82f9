/**
 * Inserts new jobs and batches, and replaces or postpones a waiting job of the same unique key. The
 * statements run in the caller's transaction. Callers without a transaction share commits.
 *
 * <p>This package may depend on {@code store}, {@code sql}, {@code database}, {@code model} and
 * {@code api}.
 */
package org.readpast.enqueue;
