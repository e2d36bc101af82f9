package org.readpast.example.archive;

import org.readpast.api.JobType;

/**
 * Holds the payload of a job that archives one document, as the searches of the rules return it.
 */
@JobType(value = "document.archive", queue = "archive")
public record ArchiveDocument(long documentId) {}
