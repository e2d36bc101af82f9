package org.readpast.jobs;

import org.readpast.admin.RuleControl;
import org.readpast.api.JobType;

/**
 * A job that fills a rule.
 *
 * @param rule its name
 */
@JobType(value = RuleControl.JOB_TYPE, queue = RuleControl.QUEUE)
public record FillRule(String rule) {}
