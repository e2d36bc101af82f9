package org.readpast.api;

import org.jspecify.annotations.Nullable;

/** The result of an enqueue. */
public final class Enqueued {
  private final long id;
  private final boolean isNew;

  private Enqueued(long id, boolean isNew) {
    this.id = id;
    this.isNew = isNew;
  }

  /** Returns a result, for implementations of {@link JobQueue}. */
  public static Enqueued of(long id, boolean isNew) {
    return new Enqueued(id, isNew);
  }

  /** The job's id; with a unique key that a live job already held, that job's id. */
  public long id() {
    return id;
  }

  /** Returns false if a live job already held the unique key. */
  public boolean isNew() {
    return isNew;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Enqueued e && id == e.id && isNew == e.isNew;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id);
  }

  @Override
  public String toString() {
    return "Enqueued{id=" + id + ", isNew=" + isNew + "}";
  }
}
