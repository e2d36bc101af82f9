package org.readpast.api;

/** Thrown when jobs are added to a batch that is sealed. No job was enqueued. */
public class BatchSealedException extends JobRejectedException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception for the batch with this name. */
  public BatchSealedException(String batch) {
    super("batch '" + batch + "' is sealed, so no jobs can be added; begin another batch");
  }
}
