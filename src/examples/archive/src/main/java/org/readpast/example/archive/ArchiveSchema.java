package org.readpast.example.archive;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Creates the tables of this application when it is first started. */
@Singleton
@Startup
public class ArchiveSchema {
  // The lock is needed if two servers start concurrently, because "if not exists" alone can then
  // fail.
  private static final String TABLES =
      """
      select pg_advisory_xact_lock(hashtext('org.readpast.example.archive'));

      create table if not exists archive_run (
        id bigint generated always as identity primary key,
        expected bigint not null,
        loaded bigint not null
      );

      create sequence if not exists document_id increment by 500 start 500;
      create table if not exists document (
        id bigint primary key,
        run_id bigint not null references archive_run,
        path text not null,
        content bytea
      );
      create index if not exists document_run on document (run_id);

      create sequence if not exists archived_document_id increment by 50 start 50;
      create table if not exists archived_document (
        id bigint primary key,
        run_id bigint not null references archive_run,
        path text not null,
        sha256 char(64) not null,
        size bigint not null,
        gzip bytea not null
      );
      create index if not exists archived_document_run on archived_document (run_id, id);
      """;

  @Resource(lookup = "jdbc/readpast")
  private DataSource database;

  @PostConstruct
  void createTables() {
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(TABLES);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create the tables of the archive", e);
    }
  }
}
