package org.readpast.jobs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobType;
import org.readpast.api.ReceiveMode;

/**
 * A job that tries the pipeline.
 *
 * @param sleep how long the work takes, ISO-8601; null: no time
 * @param fail how many attempts fail before one succeeds; null: none
 * @param mode how it is received; null: TRANSACTIONAL
 */
@JobType("readpast.ping")
public record Ping(@Nullable Duration sleep, @Nullable Integer fail, @Nullable ReceiveMode mode) {}
