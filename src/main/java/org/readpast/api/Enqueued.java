package org.readpast.api;

import org.jspecify.annotations.Nullable;

/** Reports the result of an enqueue. */
public final class Enqueued {
  private final long id;
  private final boolean isNew;
  private final boolean isUpdated;

  private Enqueued(long id, boolean isNew, boolean isUpdated) {
    this.id = id;
    this.isNew = isNew;
    this.isUpdated = isUpdated;
  }

  /**
   * Creates a result, for implementations of {@link JobQueue}.
   *
   * @param isNew false if a live job already had the unique key
   */
  public static Enqueued of(long id, boolean isNew) {
    return new Enqueued(id, isNew, false);
  }

  /**
   * Creates the result of an enqueue that changed a waiting job, for implementations of {@link
   * JobQueue}.
   */
  public static Enqueued updated(long id) {
    return new Enqueued(id, false, true);
  }

  /** Returns the id of the new job, or of the live job that already had the unique key. */
  public long id() {
    return id;
  }

  /** Returns false if a live job already had the unique key. */
  public boolean isNew() {
    return isNew;
  }

  /**
   * Returns true if a waiting job with the same unique key was changed, as requested by {@link
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
