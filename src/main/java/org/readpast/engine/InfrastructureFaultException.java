package org.readpast.engine;

import org.readpast.api.ReadpastException;
import org.readpast.model.Failure;
import org.readpast.model.Failure.Kind;

/**
 * Reports that an attempt ended because of an error outside its handler, such as a broken database
 * connection. The name of this class in the stored failures of a job shows how many of its last
 * attempts have ended in this way.
 */
final class InfrastructureFaultException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  InfrastructureFaultException(Throwable cause) {
    super(
        "an error outside the handler ended the attempt: " + Failure.of(Kind.FAILED, cause).text(),
        cause);
  }
}
