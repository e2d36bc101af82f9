package org.readpast.engine;

import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRequest;
import org.readpast.model.NewJob;
import org.readpast.store.Transactions;

/**
 * What the container gives an engine.
 *
 * @param notices makes a new connection to what other nodes notify of
 * @param preparation checks a request and writes its payload as JSON
 * @param propertyReader reads a JSON object of texts
 * @param resultWriter writes what a handler gave as JSON
 * @param instrumentation sees jobs arrive and end; {@code observers} are notified of those that
 *     ended
 */
public record EnginePorts(
    Transactions transactions,
    Threads threads,
    Supplier<Notices> notices,
    Function<JobRequest, NewJob> preparation,
    Function<@Nullable String, Map<String, String>> propertyReader,
    Function<Object, String> resultWriter,
    Instrumentation instrumentation,
    JobObservers observers,
    Outage outage) {}
