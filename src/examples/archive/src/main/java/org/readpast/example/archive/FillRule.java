package org.readpast.example.archive;

import org.readpast.api.JobType;

/** The job that fills a rule; Readpast's own WAR works it. */
@JobType(value = "readpast.rule", queue = "readpast")
public record FillRule(String rule) {}
