package org.readpast.api;

import org.jspecify.annotations.Nullable;

/**
 * A job has ended, and that is committed: told to the CDI observers of the application whose engine
 * has ended it, by working it, by taking it over from a dead node, by finding that it has expired,
 * or by carrying out a cancellation. For all jobs of a type that is the application with its
 * handler only as long as nobody else ends them: the WAR may do so too, and other applications on
 * the same database.
 *
 * <p>Told at most once, and as well as can be: what a node has not told when it dies is told by
 * nobody, and what comes faster than observers take it is dropped beyond 10,000 events. For what
 * must happen, enqueue a job ({@link JobContext#enqueue}, {@link Batch#onDiscard}), or look into
 * the history. Nothing is told of an attempt that fails and is to be retried, nor of an end that is
 * rolled back.
 *
 * <p>Observers are called one after the other on a thread of their own, in a request scope and
 * without a transaction, so they hold up no worker. {@code @Observes(during = AFTER_SUCCESS)} and
 * {@code @ObservesAsync} are called too; {@code BEFORE_COMPLETION} and {@code AFTER_FAILURE} make
 * no sense after a commit and stop the deployment, as does a state that is no end.
 *
 * @param state how it has ended
 * @param attempt which attempt was the last; 0: it was never claimed
 * @param uniqueKey null: it had none
 * @param correlationId null: it had none
 * @param enqueuedBy the caller's name; null: nobody was signed in
 * @param failure what its last attempt failed with, if it was DISCARDED or CANCELLED by that; else
 *     null
 */
public record JobEvent(
    long id,
    String queue,
    String type,
    JobState state,
    int attempt,
    @Nullable String uniqueKey,
    @Nullable String correlationId,
    @Nullable String enqueuedBy,
    @Nullable String failure) {}
