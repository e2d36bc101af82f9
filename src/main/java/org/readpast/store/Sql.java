package org.readpast.store;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.Query;
import java.time.Duration;
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
 * Sends one statement in the current transaction. For {@code store}, {@code admin.store}, {@code
 * schedule} and {@code retention} only.
 */
public final class Sql {
  // Some statements hold an administrator's own text: there is no telling how many there will be.
  private static final int MOST_NAMED = 500;
  private static final Map<EntityManagerFactory, Set<String>> NAMED =
      Collections.synchronizedMap(new WeakHashMap<>());

  private Sql() {}

  /** Sends a statement that gives rows, and reads each. */
  public static <T> List<T> rows(
      EntityManager em, String statement, Function<Row, T> reader, @Nullable Object... parameters) {
    return read(query(em, statement, parameters), reader);
  }

  /**
   * Sends a search that gives rows, and reads each; the database ends a search that takes longer.
   *
   * @throws JobRejectedException if it does; the transaction is lost then
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
            "the search was ended, as it took longer than "
                + longest.toSeconds()
                + " s, or than the database lets it; narrow it by queue, type or state",
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

  /** The first row, or null. */
  public static <T> @Nullable T first(
      EntityManager em, String statement, Function<Row, T> reader, @Nullable Object... parameters) {
    List<T> rows = rows(em, statement, reader, parameters);
    return rows.isEmpty() ? null : rows.get(0);
  }

  /** Sends a statement that gives no rows; answers how many it changed. */
  public static int change(EntityManager em, String statement, @Nullable Object... parameters) {
    return query(em, statement, parameters).executeUpdate();
  }

  /**
   * Puts the configured schema, if any, before the names of tables and sequences in a statement.
   * Only what reaches the database past this class needs it.
   */
  public static String qualified(EntityManager em, String statement) {
    Object schema = em.getEntityManagerFactory().getProperties().get(SchemaName.PROPERTY);
    return schema instanceof String name ? new SchemaName(name).qualify(statement) : statement;
  }

  /**
   * A statement is given a name, itself, so that EclipseLink parses it, and the schema is put into
   * it, once and not at each use.
   */
  private static Query named(EntityManager em, String statement) {
    EntityManagerFactory factory = em.getEntityManagerFactory();
    Set<String> known = NAMED.computeIfAbsent(factory, Sql::prepare);
    if (!known.contains(statement)) {
      if (known.size() >= MOST_NAMED) {
        return em.createNativeQuery(qualified(em, statement));
      }
      Query unnamed = em.createNativeQuery(qualified(em, statement));
      // Named a second time, it would be gone for a moment to those who send it.
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
   * When a connection breaks outside of a transaction EclipseLink sends what gives rows again,
   * three times, though it may have been carried out, and have committed by itself. Here {@link
   * Transactions} says what may be repeated. By reflection: a server shows an application no class
   * of its provider.
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

  private static Query query(EntityManager em, String statement, @Nullable Object... parameters) {
    Query query = named(em, statement);
    for (int i = 0; i < parameters.length; i++) {
      query.setParameter(i + 1, parameters[i]);
    }
    return query;
  }
}
