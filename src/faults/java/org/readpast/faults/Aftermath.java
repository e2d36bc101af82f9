package org.readpast.faults;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.readpast.faults.Story.Effect;
import org.readpast.faults.Story.EndedJob;
import org.readpast.faults.Story.Freed;
import org.readpast.faults.Story.Planned;
import org.readpast.faults.Story.Work;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/** Reads the state of the tables after a run. */
final class Aftermath {
  // The jobs of the schedule are excluded, because they have not ended and no producer has
  // requested them.
  private static final String ASKED_FOR =
      "type in ("
          + Stream.of(Work.values())
              .map(work -> "'" + work.type() + "'")
              .collect(Collectors.joining(", "))
          + ")";
  private static final String MICROS = "cast(extract(epoch from %s) * 1000000 as bigint)";

  private final Database database;

  Aftermath(Database database) {
    this.database = database;
  }

  @FunctionalInterface
  private interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private <T> List<T> rows(String sql, Reader<T> reader) {
    try (var connection = database.connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      List<T> all = new ArrayList<>();
      while (rows.next()) {
        all.add(reader.read(rows));
      }
      return all;
    } catch (SQLException e) {
      throw new IllegalStateException(sql + ": " + e.getMessage(), e);
    }
  }

  /** Returns the number of jobs that have not ended. */
  long left() {
    return TestDatabase.count(database, "select count(*) from readpast_job where " + ASKED_FOR);
  }

  /** Returns the live jobs, with what they wait for. */
  List<String> live() {
    return TestDatabase.column(
        database,
        """
        select 'job ' || coalesce(correlation_id, '-') || ' ' || state || ' ' || type
          || ' attempt ' || attempt || ' waits for ' || coalesce(waits_for, '-')
          || ' owner ' || coalesce(cast(owner as text), '-') || ' id ' || id
        from readpast_job where %s order by id"""
            .formatted(ASKED_FOR));
  }

  List<EndedJob> ended() {
    return rows(
        """
        select cast(correlation_id as int), state, attempt, uncounted, crashes, %s, %s
        from readpast_job_history where %s"""
            .formatted(MICROS.formatted("enqueued_at"), MICROS.formatted("ended_at"), ASKED_FOR),
        row ->
            new EndedJob(
                row.getInt(1),
                row.getString(2),
                row.getInt(3),
                row.getInt(4),
                row.getInt(5),
                row.getLong(6),
                row.getLong(7)));
  }

  List<Freed> freed() {
    return rows(
        """
        select cast(h.correlation_id as int), %s
        from readpast_failure f join readpast_job_history h on h.id = f.job_id
        where f.kind = 'OWNER_LOST' and h.%s"""
            .formatted(MICROS.formatted("f.ended_at"), ASKED_FOR),
        row -> new Freed(row.getInt(1), row.getLong(2)));
  }

  List<Effect> effects() {
    return rows(
        "select n, attempt from fault_effect", row -> new Effect(row.getInt(1), row.getInt(2)));
  }

  /**
   * Returns each second between the first and the last planned time of the schedule, with the
   * number of jobs that were created for it.
   */
  List<Planned> planned() {
    return rows(
        """
        select %s, (select count(*) from readpast_schedule_run r
          where r.schedule = 'tick' and r.planned_at = moment and r.skipped is null
            and (exists (select 1 from readpast_job_history h where h.id = r.job_id)
              or exists (select 1 from readpast_job j where j.id = r.job_id)))
        from generate_series(
          (select min(planned_at) from readpast_schedule_run where schedule = 'tick'),
          (select max(planned_at) from readpast_schedule_run where schedule = 'tick'),
          interval '1 second') moment"""
            .formatted(MICROS.formatted("moment")),
        row -> new Planned(row.getLong(1), row.getInt(2)));
  }
}
