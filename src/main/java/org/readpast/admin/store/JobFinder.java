package org.readpast.admin.store;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.FindSql;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;

/** Finds jobs for applications, in the current transaction, without locking them. */
public final class JobFinder {
  private final Transactions transactions;

  public JobFinder(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Describes a job to an application.
   *
   * @param lastFailure {@code class: message}, or null if no failure is stored
   */
  public record Found(
      JobView job,
      @Nullable String lastFailure,
      long progressDone,
      long progressTotal,
      boolean cancellationRequested) {

    private static Found read(Row row, Encryption encryption) {
      String failure =
          Stream.of(25, 26)
              .map(row::textOrNull)
              .filter(Objects::nonNull)
              .collect(Collectors.joining(": "));
      return new Found(
          JobView.withPayload(row, encryption),
          failure.isEmpty()
              ? null
              : encryption.shownText(EncryptionContext.failure(row.number(0)), failure),
          row.isNull(27) ? 0 : row.number(27),
          row.isNull(28) ? 0 : row.number(28),
          row.flag(29));
    }
  }

  private Found found(Row row) {
    return Found.read(row, transactions.encryption());
  }

  /** Returns a live or ended job, or null if it does not exist. */
  public @Nullable Found byId(long id) {
    return Sql.first(transactions.entityManager(), FindSql.byId(), this::found, id);
  }

  /** Returns the live job that has a unique key, or null if none has it. */
  public @Nullable Found byUniqueKey(String key) {
    return Sql.first(transactions.entityManager(), FindSql.byUniqueKey(), this::found, key);
  }

  /**
   * Returns live and ended jobs with a correlation id, ordered by id, starting after a given id.
   */
  public List<Found> byCorrelationId(String correlationId, long after, int most) {
    return Sql.rows(
        transactions.entityManager(),
        FindSql.byCorrelationId(),
        this::found,
        correlationId,
        after,
        most);
  }
}
