package org.readpast.database;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.Query;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRejectedException;
import org.readpast.model.SchemaName;

/**
 * Executes a statement in the current transaction. Only {@code store}, {@code admin.store}, {@code
 * schedule} and {@code retention} may use this class.
 */
public final class Sql {
  // The number is limited, because some statements contain the text of an administrator.
  private static final int MOST_NAMED = 500;
  private static final Map<EntityManagerFactory, Set<String>> NAMED =
      Collections.synchronizedMap(new WeakHashMap<>());

  private Sql() {}

  /** Executes a statement that returns rows, and reads each row. */
  public static <T> List<T> rows(
      EntityManager em, String statement, Function<Row, T> reader, @Nullable Object... parameters) {
    return read(query(em, statement, parameters), reader);
  }

  /**
   * Executes a search that returns rows, and reads each row. The database ends the search if it
   * takes longer than {@code longest}.
   *
   * @throws JobRejectedException if the database ended the search; the transaction can then no
   *     longer commit
   */
  public static <T> List<T> rowsWithin(
      Duration longest,
      EntityManager em,
      String statement,
      Function<Row, T> reader,
      @Nullable Object... parameters) {
    try {
      return read(
          query(em, statement, parameters)
              .setHint("jakarta.persistence.query.timeout", (int) longest.toMillis()),
          reader);
    } catch (PersistenceException e) {
      if (TransientErrors.isCancelled(e)) {
        throw new JobRejectedException(
            "the search was stopped, because it took longer than "
                + longest.toSeconds()
                + " s, or longer than the database allows; narrow it by queue, type or"
                + " state",
            e);
      }
      throw e;
    }
  }

  private static <T> List<T> read(Query query, Function<Row, T> reader) {
    List<?> found = query.getResultList();
    List<T> rows = new ArrayList<>(found.size());
    for (Object values : found) {
      rows.add(
          reader.apply(new Row(values instanceof Object[] many ? many : new Object[] {values})));
    }
    return rows;
  }

  /** Returns the first row, or null if there is none. */
  public static <T> @Nullable T first(
      EntityManager em, String statement, Function<Row, T> reader, @Nullable Object... parameters) {
    List<T> rows = rows(em, statement, reader, parameters);
    return rows.isEmpty() ? null : rows.get(0);
  }

  /** Executes a statement that returns no rows. Returns the number of rows that were changed. */
  public static int change(EntityManager em, String statement, @Nullable Object... parameters) {
    return query(em, statement, parameters).executeUpdate();
  }

  /**
   * Executes a statement that returns no rows. The database ends the statement if it takes longer
   * than the given time. Returns the number of rows that were changed.
   */
  public static int changeWithin(
      Duration longest, EntityManager em, String statement, @Nullable Object... parameters) {
    return query(em, statement, parameters)
        .setHint("jakarta.persistence.query.timeout", (int) longest.toMillis())
        .executeUpdate();
  }

  /**
   * Inserts the configured schema, if there is one, before the names of tables and sequences in a
   * statement. Only statements that are not executed by this class need this method.
   */
  public static String qualified(EntityManager em, String statement) {
    Object schema = em.getEntityManagerFactory().getProperties().get(SchemaName.PROPERTY);
    return schema instanceof String name ? new SchemaName(name).qualify(statement) : statement;
  }

  /**
   * Creates a named query whose name is the statement itself. EclipseLink therefore parses the
   * statement only once, and the schema is inserted only once.
   */
  private static Query named(EntityManager em, String statement) {
    EntityManagerFactory factory = em.getEntityManagerFactory();
    Set<String> known = NAMED.computeIfAbsent(factory, Sql::prepare);
    if (!known.contains(statement)) {
      if (known.size() >= MOST_NAMED) {
        return em.createNativeQuery(qualified(em, statement));
      }
      Query unnamed = em.createNativeQuery(qualified(em, statement));
      // A query must not be added twice: the second call would remove it briefly, while other
      // threads use it.
      synchronized (known) {
        if (!known.contains(statement)) {
          factory.addNamedQuery(statement, unnamed);
          known.add(statement);
        }
      }
    }
    return em.createNamedQuery(statement);
  }

  private static Set<String> prepare(EntityManagerFactory factory) {
    sendOnce(factory);
    return ConcurrentHashMap.newKeySet();
  }

  /**
   * Turns off the repetition of statements by EclipseLink. If a connection breaks outside a
   * transaction, EclipseLink resends a statement that returns rows up to three times, although the
   * statement may have been executed and committed. {@link Transactions} specifies what may be
   * repeated. Reflection is necessary because a server does not expose the classes of its provider
   * to an application.
   */
  private static void sendOnce(EntityManagerFactory factory) {
    try {
      Object session = factory.getClass().getMethod("getDatabaseSession").invoke(factory);
      Object login = session.getClass().getMethod("getLogin").invoke(session);
      login.getClass().getMethod("setQueryRetryAttemptCount", int.class).invoke(login, 0);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the JPA provider is not EclipseLink", e);
    }
  }

  /** Returns the time in the form that the driver requires. */
  public static OffsetDateTime utc(Instant moment) {
    return moment.atOffset(ZoneOffset.UTC);
  }

  private static Query query(EntityManager em, String statement, @Nullable Object... parameters) {
    Query query = named(em, statement);
    for (int i = 0; i < parameters.length; i++) {
      query.setParameter(i + 1, parameters[i]);
    }
    return query;
  }
}
