package org.readpast.model;

import org.readpast.api.JobRejectedException;

/** A schedule that breaks a rule; the message names the field, the rule and the way out. */
public class InvalidScheduleException extends JobRejectedException {
  private static final long serialVersionUID = 1L;

  /** With such a message. */
  public InvalidScheduleException(String message) {
    super(message);
  }

  static InvalidScheduleException of(String field, String given, String wayOut) {
    return new InvalidScheduleException(field + " is '" + Names.excerpt(given) + "'; " + wayOut);
  }
}
