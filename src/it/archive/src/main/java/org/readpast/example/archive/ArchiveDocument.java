package org.readpast.example.archive;

import org.readpast.api.JobType;

/** The job of archiving one document. */
@JobType(value = "document.archive", queue = "archive")
public record ArchiveDocument(long documentId) {}
