package org.readpast.schedule;

import java.time.Duration;
import java.util.List;
import org.readpast.model.Rule;

/** Stores the rules that configurations declare, in the current transaction. */
public interface DeclaredRules {
  /**
   * Stores a rule without its schedule; if the rule has no schedule, deletes the schedule that it
   * had before. Returns true if the rule has changed.
   */
  boolean apply(Rule rule, String owner);

  /**
   * Deletes and returns the rules that no live node has declared for the given time although their
   * owner has a live node. Their schedules are deleted, too.
   */
  List<Schedules.Owned> withdraw(Duration undeclared);
}
