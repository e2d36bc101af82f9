package org.readpast.example.archive;

import org.readpast.api.JobType;

/**
 * Holds the payload of a job that loads the next chunk of files of a run.
 *
 * @param runId the id of the run
 * @param after the last path that has been loaded; empty for the first chunk
 */
@JobType(value = "archive.load", queue = "archive")
public record LoadChunk(long runId, String after) {}
