package org.readpast.engine;

import java.util.Map;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRequest;
import org.readpast.database.Outage;
import org.readpast.database.Transactions;
import org.readpast.model.NewJob;
import org.readpast.store.JobEndListener;

/**
 * Holds the services that the container provides to an engine.
 *
 * @param notices creates a connection that receives the notifications of other nodes
 * @param preparer checks a request and writes its payload as JSON
 * @param propertyReader reads a JSON object of strings
 * @param resultWriter writes the result of a handler as JSON
 * @param instrumentation observes jobs as they are enqueued, start and end
 * @param endListener is notified of jobs that have ended
 * @param reports creates the component that is notified of losses, and that may enqueue jobs to
 *     report them
 * @param timedWork creates the component that enqueues jobs at scheduled times
 * @param registered receives the number of a node in the transaction that registers it: at the
 *     start, and whenever the node was declared dead but still runs
 */
public record EnginePorts(
    Transactions transactions,
    Threads threads,
    Supplier<Notices> notices,
    Function<JobRequest, NewJob> preparer,
    Function<@Nullable String, Map<String, String>> propertyReader,
    Function<Object, String> resultWriter,
    Instrumentation instrumentation,
    JobEndListener endListener,
    Function<Enqueuer, LossReports> reports,
    Function<Enqueuer, TimedWork> timedWork,
    IntConsumer registered,
    Outage outage) {}
