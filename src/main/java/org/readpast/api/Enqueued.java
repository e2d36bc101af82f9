package org.readpast.api;

import org.jspecify.annotations.Nullable;

/** The result of an enqueue. */
public final class Enqueued {
  private final long id;
  private final boolean isNew;
  private final boolean isUpdated;

  private Enqueued(long id, boolean isNew, boolean isUpdated) {
    this.id = id;
    this.isNew = isNew;
    this.isUpdated = isUpdated;
  }

  /** Returns a result, for implementations of {@link JobQueue}. */
  public static Enqueued of(long id, boolean isNew) {
    return new Enqueued(id, isNew, false);
  }

  /**
   * Returns the result of an enqueue that has changed a waiting job, for implementations of {@link
   * JobQueue}.
   */
  public static Enqueued updated(long id) {
    return new Enqueued(id, false, true);
  }

  /** The job's id; with a unique key that a live job already held, that job's id. */
  public long id() {
    return id;
  }

  /** Returns false if a live job already held the unique key. */
  public boolean isNew() {
    return isNew;
  }

  /**
   * Returns true if that job was waiting and was changed, as the request asked by {@link
   * JobRequest#replaceWaiting} or {@link JobRequest#postpone}.
   */
  public boolean isUpdated() {
    return isUpdated;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Enqueued e
        && id == e.id
        && isNew == e.isNew
        && isUpdated == e.isUpdated;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id);
  }

  @Override
  public String toString() {
    return "Enqueued{id=" + id + ", isNew=" + isNew + ", isUpdated=" + isUpdated + "}";
  }
}
