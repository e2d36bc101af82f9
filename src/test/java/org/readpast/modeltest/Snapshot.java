package org.readpast.modeltest;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Holds the state of all jobs, batches and nodes in the database, read by a single statement. */
final class Snapshot {
  /**
   * Reads the state of everything. Parameter: the time in microseconds at which the sequence began.
   */
  private static final String ALL =
      """
      select 'job', id, concat_ws(' ', queue, type, priority, state, waits_for,
          'attempt', attempt, 'uncounted', coalesce(uncounted, 0), 'crashes ' || crashes, 'fence', claim_no,
          'owner ' || owner, 'key ' || unique_key, 'batch ' || (select name from readpast_batch b where b.id = batch),
          'wave ' || wave, 'group ' || group_key,
          case when state = 'RUNNING' and (
            select readpast_job.id = any(l.begun) from readpast_lease l where l.node = owner and readpast_job.id = any(l.jobs)
            order by l.id desc limit 1) then 'begun' end,
          case when expires_at is not null then 'expires' end), position,
        cast(extract(epoch from available_at) * 1000 - ? / 1000 as bigint)
      from readpast_job
      union all
      select 'job', id, concat_ws(' ', queue, type, priority, state,
          'attempt', attempt, 'uncounted', uncounted, 'crashes', crashes, 'fence', claim_no,
          'key ' || unique_key, 'batch ' || (select name from readpast_batch b where b.id = batch),
          'wave ' || wave, 'group ' || group_key, case when expires_at is not null then 'expires' end), null, null
      from readpast_job_history
      union all
      select 'failures', job_id, cast(count(*) as text), null, null from readpast_failure group by job_id
      union all
      select 'cancellation requested', c.job_id, '', null, null from readpast_cancellation c join readpast_job j on j.id = c.job_id
      union all
      select 'no lease', id, '', null, null from readpast_job j where state = 'RUNNING' and not exists (
        select 1 from readpast_lease l where l.node = j.owner and j.id = any(l.jobs))
      union all
      select 'batch ' || name, null, concat_ws(' ', on_failure, case when sealed_at is not null then 'sealed' end,
        case when cancelled_at is not null then 'cancelled' end, case when held_at is not null then 'held' end,
        case when finished_at is not null then 'finished' end), null, null
      from readpast_batch
      union all
      select 'wave ' || (select name from readpast_batch b where b.id = batch) || ' ' || no, null,
        concat_ws(' ', live, completed, discarded, cancelled, expired), null, null
      from readpast_wave where live <> 0 or completed <> 0 or discarded <> 0 or cancelled <> 0 or expired <> 0
      union all
      select 'hold', job_id, concat_ws(' ', 'wave ' || wave, 'group ' || group_key), null, null from readpast_hold
      union all
      select 'called ' || (select name from readpast_batch b where b.id = batch) || ' ' || event, job_id, '', null, null
      from readpast_callback where fired_at is not null
      union all
      select 'node', no, state, null, null from readpast_node
      union all
      select 'paused ' || name, null, '', null, null from readpast_queue where paused""";

  /**
   * Holds the position of a live job, and its due time in ms since the start of the sequence; each
   * may be null.
   */
  record Place(Long position, Long due) {}

  /** Contains the descriptions by kind, or by kind and id. */
  final Map<String, String> said = new TreeMap<>();

  final Map<Long, Place> places = new HashMap<>();
  final Map<String, Long> called = new HashMap<>();

  static Snapshot of(Connection connection, long began) throws SQLException {
    Snapshot snapshot = new Snapshot();
    try (PreparedStatement statement = connection.prepareStatement(ALL)) {
      statement.setLong(1, began);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          snapshot.add(rows);
        }
      }
    }
    return snapshot;
  }

  private void add(ResultSet rows) throws SQLException {
    String kind = rows.getString(1);
    long id = rows.getLong(2);
    boolean ofJob = !rows.wasNull();
    if (kind.startsWith("called ")) {
      called.put(kind.substring("called ".length()), id);
    } else {
      said.put(ofJob ? kind + " " + id : kind, rows.getString(3));
    }
    if (kind.equals("job")) {
      places.put(id, new Place((Long) rows.getObject(4), (Long) rows.getObject(5)));
    }
  }

  /** Returns the descriptions that the model expects. */
  static Map<String, String> expected(Model model, Map<String, Boolean> paused) {
    Map<String, String> said = new TreeMap<>();
    for (ModelJob job : model.jobs.values()) {
      if (!job.gone) {
        said.put("job " + job.id, describe(job));
      }
      if (job.failures > 0) {
        said.put("failures " + job.id, String.valueOf(job.failures));
      }
      if (job.live() && job.cancellationRequested != null) {
        said.put("cancellation requested " + job.id, "");
      }
    }
    model.batches.values().forEach(batch -> said.put("batch " + batch.name, describe(batch)));
    model.order.counts.forEach(
        (wave, count) ->
            said.put(
                "wave " + wave,
                count.live()
                    + " "
                    + count.completed()
                    + " "
                    + count.discarded()
                    + " "
                    + count.cancelled()
                    + " "
                    + count.expired()));
    model.order.holds.forEach(
        (id, hold) -> {
          ModelJob job = model.jobs.get(id);
          List<String> words = new ArrayList<>();
          if (hold.wave) {
            words.add("wave " + job.wave);
          }
          if (hold.group) {
            words.add("group " + job.group);
          }
          said.put("hold " + id, String.join(" ", words));
        });
    model.nodes.forEach((no, node) -> said.put("node " + no, node.state.name()));
    paused.forEach(
        (queue, is) -> {
          if (is) {
            said.put("paused " + queue, "");
          }
        });
    return said;
  }

  private static String describe(Model.ModelBatch batch) {
    List<String> words = new ArrayList<>(List.of(batch.onFailure.name()));
    addIf(words, batch.sealed, "sealed");
    addIf(words, batch.cancelled, "cancelled");
    addIf(words, batch.held, "held");
    addIf(words, batch.finished, "finished");
    return String.join(" ", words);
  }

  private static String describe(ModelJob job) {
    List<String> words =
        new ArrayList<>(
            List.of(job.queue, job.type, String.valueOf(job.priority), job.state.name()));
    addIf(words, job.live() && job.waitsFor != null, String.valueOf(job.waitsFor));
    words.add("attempt " + job.attempt);
    words.add("uncounted " + job.uncounted);
    // For an ended job, the number 0 is stored if it is charged with no deaths.
    Integer crashes = job.live() || job.crashes != null ? job.crashes : Integer.valueOf(0);
    addIf(words, crashes != null, "crashes " + crashes);
    words.add("fence " + job.fence);
    addIf(words, job.live() && job.owner != 0, "owner " + job.owner);
    addIf(words, job.key != null, "key " + job.key);
    addIf(words, job.batch != null, "batch " + job.batch + " wave " + job.wave);
    addIf(words, job.group != null, "group " + job.group);
    boolean running = job.state == org.readpast.api.JobState.RUNNING;
    addIf(words, running && job.begun, "begun");
    addIf(words, job.expires != null, "expires");
    return String.join(" ", words);
  }

  private static void addIf(List<String> words, boolean is, String word) {
    if (is) {
      words.add(word);
    }
  }
}
