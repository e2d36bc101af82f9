package org.readpast.jobs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobType;
import org.readpast.api.ReceiveMode;

/**
 * Holds the payload of a job that tests the complete path from enqueue to completion.
 *
 * @param sleep how long the handler sleeps, as an ISO-8601 duration; null for no time
 * @param fail the number of attempts that fail before one succeeds; null for none
 * @param mode the receive mode; null for TRANSACTIONAL
 */
@JobType("readpast.ping")
public record Ping(@Nullable Duration sleep, @Nullable Integer fail, @Nullable ReceiveMode mode) {}
