package org.readpast.example.archive;

import org.readpast.api.JobType;

/**
 * The job that loads a run's next chunk of originals.
 *
 * @param runId the run
 * @param after the last path that is already loaded; empty for the first chunk
 */
@JobType(value = "archive.load", queue = "archive")
public record LoadChunk(long runId, String after) {}
