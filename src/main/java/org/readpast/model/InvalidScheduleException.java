package org.readpast.model;

import org.readpast.api.JobRejectedException;

/**
 * Reports a schedule that breaks a rule; the message names the field, the rule and how to fix it.
 */
public class InvalidScheduleException extends JobRejectedException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message that names the field, the rule and how to fix it. */
  public InvalidScheduleException(String message) {
    super(message);
  }

  static InvalidScheduleException of(String field, String given, String wayOut) {
    return new InvalidScheduleException(field + " is '" + Names.excerpt(given) + "'; " + wayOut);
  }
}
