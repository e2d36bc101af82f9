/**
 * Releases jobs that wait for other jobs: for predecessors, for the lower waves of their batch, or
 * for their group.
 *
 * <p>The classes in reading order: {@link org.readpast.dependency.DependencyResolver}, {@link
 * org.readpast.dependency.ResolverRound}, {@link org.readpast.dependency.Predecessors}, {@link
 * org.readpast.dependency.Waves}, {@link org.readpast.dependency.Holds}, and the stores and
 * statements that these use. The engine wakes the resolver, and learns of released jobs through
 * {@link org.readpast.dependency.ReceiverSignals}.
 *
 * <p>This package may depend on {@code enqueue}, {@code store}, {@code sql}, {@code database},
 * {@code model} and {@code api}.
 */
package org.readpast.dependency;
