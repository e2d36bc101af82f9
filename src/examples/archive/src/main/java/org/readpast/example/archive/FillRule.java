package org.readpast.example.archive;

import org.readpast.api.JobType;

/** The job of filling a rule, which Readpast's own WAR works. */
@JobType(value = "readpast.rule", queue = "readpast")
public record FillRule(String rule) {}
