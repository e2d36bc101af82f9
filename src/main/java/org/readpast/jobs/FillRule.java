package org.readpast.jobs;

import org.readpast.admin.RuleControl;
import org.readpast.api.JobType;

/**
 * Holds the payload of a job that starts or continues a run of a rule.
 *
 * @param rule the name of the rule
 */
@JobType(value = RuleControl.JOB_TYPE, queue = RuleControl.QUEUE)
public record FillRule(String rule) {}
