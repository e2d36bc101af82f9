package org.readpast.example.archive;

import org.readpast.api.JobType;

/** The job of archiving one document, as the searches of the rules give it. */
@JobType(value = "document.archive", queue = "archive")
public record ArchiveDocument(long documentId) {}
