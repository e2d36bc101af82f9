package org.readpast.runtime;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.readpast.model.SchemaName;

/** Describes the open transactions that hold locks on Readpast's tables. */
final class TransactionsInTheWay {
  // The statement returns the oldest open transactions first.
  private static final String HOLDERS =
      """
      select 'session ' || a.pid || ' (' || coalesce(nullif(a.application_name, ''), 'no application name')
        || ', user ' || a.usename || '), whose transaction is open since ' || date_trunc('second', a.xact_start)
        || ' and uses ' || string_agg(distinct c.relname, ', ')
        || coalesce('; its last statement: ' || left(regexp_replace(a.query, '\\s+', ' ', 'g'), 100), '')
      from pg_locks l join pg_class c on c.oid = l.relation join pg_stat_activity a on a.pid = l.pid
      where l.database = (select oid from pg_database where datname = current_database())
        and c.relnamespace = (
          select relnamespace from pg_class where oid = to_regclass('readpast_databasechangelog'))
        and starts_with(c.relname, 'readpast_') and c.relkind = 'r' and c.relname not like '%databasechangelog%'
        and a.pid <> pg_backend_pid() and a.xact_start is not null
      group by a.pid, a.application_name, a.usename, a.xact_start, a.query
      order by a.xact_start limit 5""";

  private TransactionsInTheWay() {}

  static String describe(Connection connection, SchemaName schema) throws SQLException {
    List<String> all = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(schema.qualify(HOLDERS))) {
      while (row.next()) {
        all.add(row.getString(1));
      }
    }
    connection.rollback();
    return all.isEmpty() ? "a transaction that has ended in the meantime" : String.join("; ", all);
  }
}
