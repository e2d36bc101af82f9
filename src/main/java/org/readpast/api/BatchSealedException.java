package org.readpast.api;

/** An addition to a batch that was sealed; nothing was enqueued. */
public class BatchSealedException extends JobRejectedException {
  private static final long serialVersionUID = 1L;

  /** Of the batch with this name. */
  public BatchSealedException(String batch) {
    super("batch '" + batch + "' is sealed; nothing can be added any more, begin another one");
  }
}
