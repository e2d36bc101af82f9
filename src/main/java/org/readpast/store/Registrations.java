package org.readpast.store;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.sql.RegistrationSql;

/** Stores which types each node handles, in the current transaction. */
public final class Registrations {
  private final Transactions transactions;

  public Registrations(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Describes a type that a node handles.
   *
   * @param type the type in its stored form
   * @param shape the shape of the payload, or null if the node accepts any shape or reads it
   *     through upcasts
   */
  public record Handled(String type, @Nullable String shape) {}

  /** Registers all types that a node handles. */
  public void register(int node, String application, List<Handled> handled) {
    if (!handled.isEmpty()) {
      Sql.change(
          transactions.entityManager(),
          RegistrationSql.register(),
          node,
          application,
          types(handled),
          shapes(handled));
    }
  }

  /** Describes a type that two applications have registered with payloads of different shapes. */
  public record Conflict(String type, String shape, String application, String otherShape) {}

  /**
   * Returns the types of a node that live nodes of other applications have registered with another
   * payload shape.
   */
  public List<Conflict> conflicts(int node) {
    return Sql.rows(
        transactions.entityManager(),
        RegistrationSql.otherShapes(),
        row -> new Conflict(row.text(0), row.text(1), row.text(2), row.text(3)),
        node);
  }

  /** Returns true if another live node may be able to read the payload of this job. */
  public boolean readableElsewhere(int node, ClaimedJob job) {
    return Boolean.TRUE.equals(
        Sql.first(
            transactions.entityManager(),
            RegistrationSql.readableElsewhere(),
            row -> row.flag(0),
            node,
            job.type(),
            job.queue(),
            job.id()));
  }

  /** Records that no live node can read the payload of this job. */
  public void unreadable(int node, ClaimedJob job) {
    Sql.change(
        transactions.entityManager(), RegistrationSql.unreadable(), node, job.type(), job.id());
  }

  /**
   * Describes waiting jobs of a type and payload shape that an application handled before and that
   * no live node handles now.
   *
   * @param shapeNow the payload shape that is registered now instead, or null if no node handles
   *     the type
   * @param jobs the number of jobs, at most 10,000
   */
  public record UnhandledType(
      String type, @Nullable String shape, @Nullable String shapeNow, long jobs) {
    /** Limits how many jobs are counted. */
    public static final long MOST_COUNTED = RegistrationSql.MOST_COUNTED;
  }

  /**
   * Returns the types that ended nodes of an application handled and that still have jobs. Deletes
   * the registrations of all other types.
   */
  public List<UnhandledType> takeUnhandled(String application) {
    List<UnhandledType> left =
        Sql.rows(
                transactions.entityManager(),
                RegistrationSql.takeUnhandled(),
                row ->
                    new UnhandledType(
                        row.text(0), row.textOrNull(1), row.textOrNull(2), row.number(3)),
                application)
            .stream()
            .filter(one -> one.jobs() > 0)
            .toList();
    List<Handled> kept = left.stream().map(one -> new Handled(one.type(), one.shape())).toList();
    Sql.change(
        transactions.entityManager(),
        RegistrationSql.forget(),
        application,
        types(kept),
        shapes(kept));
    return left;
  }

  private static String[] types(List<Handled> handled) {
    return handled.stream().map(Handled::type).map(Objects::requireNonNull).toArray(String[]::new);
  }

  private static @Nullable String[] shapes(List<Handled> handled) {
    return handled.stream().map(Handled::shape).toArray(String[]::new);
  }
}
