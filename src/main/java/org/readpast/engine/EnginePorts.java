package org.readpast.engine;

import java.util.Map;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRequest;
import org.readpast.model.NewJob;
import org.readpast.store.EndWatch;
import org.readpast.store.Transactions;

/**
 * What the container gives an engine.
 *
 * @param notices makes a new connection to what other nodes notify of
 * @param preparation checks a request and writes its payload as JSON
 * @param propertyReader reads a JSON object of texts
 * @param resultWriter writes what a handler gave as JSON
 * @param instrumentation sees jobs arrive and end
 * @param endWatch is notified of jobs that have ended
 * @param reports what learns of losses, and may enqueue jobs that tell of them
 * @param timedWork what enqueues jobs at its moments
 * @param registered receives the number of a node in the transaction that makes the node known: at
 *     the start, and again after each death that it outlived
 */
public record EnginePorts(
    Transactions transactions,
    Threads threads,
    Supplier<Notices> notices,
    Function<JobRequest, NewJob> preparation,
    Function<@Nullable String, Map<String, String>> propertyReader,
    Function<Object, String> resultWriter,
    Instrumentation instrumentation,
    EndWatch endWatch,
    Function<Enqueuer, LossReports> reports,
    Function<Enqueuer, TimedWork> timedWork,
    IntConsumer registered,
    Outage outage) {}
