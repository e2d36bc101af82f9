package org.readpast.runtime;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.readpast.model.SchemaName;

/**
 * Creates entity managers for a data source. The data source is known only at run time, so this
 * class creates the entity manager factory instead of injecting it. The factory is created at its
 * first use, because the database may start after the server.
 */
final class JpaSource {
  private final String name;
  private final SchemaName schema;
  private final BooleanSupplier inTransaction;
  private volatile @Nullable EntityManagerFactory factory;

  JpaSource(String name, SchemaName schema, BooleanSupplier inTransaction) {
    this.name = name;
    this.schema = schema;
    this.inTransaction = inTransaction;
  }

  /** Returns the JNDI name of the data source. */
  String name() {
    return name;
  }

  EntityManager entityManager() {
    EntityManagerFactory made = factory;
    if (made == null) {
      synchronized (this) {
        made = factory;
        if (made == null) {
          made = Persistence.createEntityManagerFactory("readpast", properties());
          factory = made;
        }
      }
    }
    return made.createEntityManager();
  }

  private Map<String, Object> properties() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(
        "jakarta.persistence.jtaDataSource",
        new CommittingDataSource(DataSources.find(name), inTransaction));
    // EclipseLink shares sessions by name across all applications of a server.
    properties.put("eclipselink.session-name", UUID.randomUUID().toString());
    if (schema.name() != null) {
      properties.put(SchemaName.PROPERTY, schema.name());
    }
    return properties;
  }

  void close() {
    EntityManagerFactory made = factory;
    if (made != null && made.isOpen()) {
      made.close();
    }
  }
}
