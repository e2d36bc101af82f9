package org.readpast.example.archive;

import org.readpast.api.JobType;

/** Holds the payload of a job that runs a rule; the WAR of Readpast handles it. */
@JobType(value = "readpast.rule", queue = "readpast")
public record FillRule(String rule) {}
