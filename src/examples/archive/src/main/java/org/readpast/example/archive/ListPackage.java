package org.readpast.example.archive;

import org.readpast.api.JobType;

/** The job that computes a package's listing before it is archived. */
@JobType(value = "package.list", queue = "archive")
public record ListPackage(long documentId) {}
