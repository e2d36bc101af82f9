package org.readpast.server.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** Writes in separate transactions, independently of the caller's transaction. */
@ApplicationScoped
public class Apart {
  @Inject Rows rows;

  @Transactional(TxType.REQUIRES_NEW)
  public void write(String note) {
    rows.write(note);
  }

  @Transactional(TxType.REQUIRES_NEW)
  public void writeAndFail(String note) {
    rows.write(note);
    throw new IllegalArgumentException("after writing " + note);
  }

  /** Writes in the caller's transaction, if one is active. */
  @Transactional(TxType.REQUIRED)
  public void writeTogether(String note) {
    rows.write(note);
  }
}
