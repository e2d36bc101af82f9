package org.readpast.enqueue;

/** Contains the statements that create and find batches. */
public final class BatchSql {
  private BatchSql() {}

  /** Creates a batch unless it exists. Parameters: ?1 = name, ?2 = failure policy. */
  public static String createBatch() {
    return "insert into readpast_batch (name, on_failure) values (?1, ?2) on conflict do nothing";
  }

  /** Returns (name) of a batch. Parameter: ?1 = batch. */
  public static String batchName() {
    return "select name from readpast_batch where id = ?1";
  }

  /**
   * Finds a batch by its name. Returns the columns (id, failure policy, sealed, cancelled,
   * finished). Parameter: ?1 = name.
   */
  public static String batch() {
    return """
        select id, on_failure, sealed_at is not null, cancelled_at is not null, finished_at is not null
        from readpast_batch where name = ?1""";
  }

  /**
   * Finds the given batches that are not sealed, and keeps them from finishing until the end of the
   * transaction. Returns the columns (name, id). Parameter: ?1 = names of batches.
   */
  public static String addTo() {
    return """
        select name, id from readpast_batch where name = any(cast(?1 as text[])) and sealed_at is null
        order by id for key share""";
  }
}
