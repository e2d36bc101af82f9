package org.readpast.rest.http;

import org.jspecify.annotations.Nullable;
import org.readpast.admin.AccessDeniedException;
import org.readpast.admin.KeyReusedException;
import org.readpast.admin.UnknownTypeException;
import org.readpast.api.BatchSealedException;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.api.JobRejectedException;
import org.readpast.api.NotFoundException;
import org.readpast.api.ReadpastException;
import org.readpast.api.StateConflictException;
import org.readpast.model.EncryptedException;
import org.readpast.model.SqlRefusedException;

/**
 * Lists the reasons for refusing a request. Each reason has a status in the REST API, and its name
 * is the code of the remote EJB.
 */
public enum Refusal {
  FORBIDDEN(403),
  NOT_FOUND(404),
  CONFLICT(409),
  UNKNOWN_TYPE(422),
  UNPROCESSABLE(422),
  REJECTED(400),
  UNAVAILABLE(503);

  private final int status;

  Refusal(int status) {
    this.status = status;
  }

  int status() {
    return status;
  }

  /** Returns the reason for an exception, or null for an unexpected failure. */
  public static @Nullable Refusal of(ReadpastException thrown) {
    if (thrown instanceof AccessDeniedException) {
      return FORBIDDEN;
    }
    if (thrown instanceof NotFoundException) {
      return NOT_FOUND;
    }
    if (thrown instanceof StateConflictException
        || thrown instanceof BatchSealedException
        || thrown instanceof EncryptedException) {
      return CONFLICT;
    }
    if (thrown instanceof UnknownTypeException) {
      return UNKNOWN_TYPE;
    }
    if (thrown instanceof KeyReusedException || thrown instanceof SqlRefusedException) {
      return UNPROCESSABLE;
    }
    if (thrown instanceof DatabaseUnavailableException) {
      return UNAVAILABLE;
    }
    return thrown instanceof JobRejectedException ? REJECTED : null;
  }
}
