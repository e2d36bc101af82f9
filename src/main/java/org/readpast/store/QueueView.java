package org.readpast.store;

import java.util.Map;
import org.readpast.api.JobState;

/**
 * A queue, its settings and how many jobs it holds.
 *
 * @param counts for each state, 0 included
 */
public record QueueView(Nodes.QueueRow settings, Map<JobState, Long> counts) {}
