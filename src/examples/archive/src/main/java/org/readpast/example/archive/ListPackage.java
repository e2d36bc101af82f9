package org.readpast.example.archive;

import org.readpast.api.JobType;

/** Holds the payload of a job that computes the listing of a package before it is archived. */
@JobType(value = "package.list", queue = "archive")
public record ListPackage(long documentId) {}
