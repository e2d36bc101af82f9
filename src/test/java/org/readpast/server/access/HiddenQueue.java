package org.readpast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.readpast.support.Database;
import org.readpast.support.RawHttp;
import org.readpast.support.RawHttp.Answer;
import org.readpast.support.TestDatabase;

/**
 * Describes a restricted queue, all objects of which contain a mark, and callers that search for
 * the mark.
 */
final class HiddenQueue {
  /** Marks all names and strings of the queue {@code secrets}. */
  private static final String MARK = "Zaphod";

  private static final String QUEUE = "secrets";

  private final Database database;
  private final RawHttp admin;

  /**
   * @param admin a caller that sees all queues
   */
  HiddenQueue(Database database, RawHttp admin) {
    this.database = database;
    this.admin = admin;
  }

  /** Creates one object of each kind in a queue. */
  void fill() {
    String rest =
        ",\"type\":\"readpast.ping\",\"queue\":\"secrets\",\"payload\":{\"about\":\"Zaphod\"}}";
    change("PUT", "/batches/Zaphod", "{\"onFinish\":{\"priority\":4" + rest + "}");
    change(
        "POST",
        "/queues/secrets/jobs",
        """
        [{"type":"readpast.ping","payload":{"about":"Zaphod"},"uniqueKey":"Zaphod","correlationId":"Zaphod",
          "properties":{"Zaphod":"Zaphod"},"group":"Zaphod","batch":"Zaphod","delay":"PT1H"},
         {"type":"readpast.ping","payload":{"about":"Zaphod"},"delay":"PT1H"}]""");
    String job = job();
    change("POST", "/jobs/" + job + "/cancellation", "{}");
    change("POST", "/batches/Zaphod/hold", "{}");
    change("PATCH", "/queues/secrets", "{\"paused\":true}");
    change("PATCH", "/queues/secrets/groups/Zaphod", "{\"concurrency\":2}");
    change("PUT", "/schedules/Zaphod", "{\"cron\":\"0 2 * * *\",\"priority\":4" + rest);
    change("POST", "/schedules/Zaphod/runs", "{}");
    change(
        "PUT",
        "/rules/Zaphod",
        """
        {"type":"readpast.ping","queue":"secrets","search":"select 'Zaphod' as key",
          "datasource":"jdbc/readpast","schedule":"0 3 * * *"}""");
    database.execute(
        """
        insert into readpast_failure (job_id, attempt, kind, exception, message)
        select id, 1, 'FAILED', 'Zaphod', 'Zaphod' from readpast_job_history where queue = 'secrets';
        insert into readpast_listener (node, queue, receivers, received, completed, failed, dead, wake_ups, empty_receives, errors)
        select max(no), 'secrets', 0, 0, 0, 0, 0, 0, 0, 0 from readpast_node on conflict do nothing;
        insert into readpast_log (job_id, attempt, line)
        select id, 1, 'Zaphod' from readpast_job_history where queue = 'secrets';
        insert into readpast_sql_log (job_id, attempt, statement, datasource, error)
        select id, 1, 'Zaphod', 'd', 'Zaphod' from readpast_job_history where queue = 'secrets'""");
  }

  private String job() {
    return TestDatabase.value(database, "select max(id) from readpast_job where queue = 'secrets'");
  }

  private String ended() {
    return TestDatabase.value(
        database, "select min(id) from readpast_job_history where queue = 'secrets'");
  }

  private void change(String method, String path, String body) {
    Answer answer = admin.send(method, "/readpast/api" + path, body);
    assertThat(answer.status()).as(method + " " + path + " " + answer.body()).isLessThan(300);
  }

  /** Returns the paths of all reads, with filters that name hidden objects. */
  List<String> reads() {
    return List.of(
        "/about",
        "/audit",
        "/audit?format=csv",
        "/audit?format=json",
        "/audit?target=Zaphod",
        "/audit?target=secrets",
        "/batches",
        "/jobs",
        "/jobs?state=CANCELLED",
        "/jobs?state=SCHEDULED",
        "/jobs?queue=secrets",
        "/jobs?q=batch:Zaphod",
        "/jobs?q=uniqueKey:Zaphod",
        "/jobs?q=error:Zaphod",
        "/jobs?q=payload.about:Zaphod",
        "/jobs?q=" + ended(),
        "/jobs/counts",
        "/jobs/counts?queue=secrets",
        "/jobs/counts?q=uniqueKey:Zaphod",
        "/jobs/facets",
        "/jobs/facets?q=uniqueKey:Zaphod",
        "/listener",
        "/nodes?all=true",
        "/overview",
        "/queues",
        "/rules",
        "/schedules",
        "/session",
        "/sql/executions",
        "/throughput",
        "/throughput/breakdown",
        "/throughput/breakdown?by=type",
        "/throughput/types",
        "/sql/executions?job=" + ended());
  }

  /** Returns requests that name one object, with {@code *} in place of the name. */
  List<String> named() {
    return List.of(
        "GET /batches/*",
        "GET /batches/*/graph",
        "GET /rules/*",
        "GET /rules/*/runs",
        "GET /schedules/*",
        "GET /schedules/*/runs",
        "POST /batches/*/hold",
        "POST /batches/*/cancellation",
        "POST /rules/*/runs",
        "POST /schedules/*/runs");
  }

  /** Fails if a response to this caller contains the mark, or depends on hidden objects. */
  void revealsNothing(RawHttp caller, String who) {
    for (String path : reads()) {
      Answer answer = caller.get("/readpast/api" + path);
      // The problem contains the requested path, which is removed before the comparison.
      String body = answer.body().replaceAll("\"instance\":\"[^\"]*\"", "");
      assertThat(body).as("%s, asked by %s", path, who).doesNotContain(MARK, QUEUE);
      assertThat(answer.status()).as("%s, asked by %s", path, who).isIn(200, 403);
    }
    assertThat(caller.get("/readpast/api/jobs/counts?queue=secrets").body())
        .as(who)
        .doesNotContainPattern("\"count\":[1-9]");
    assertThat(caller.get("/readpast/api/jobs?q=batch:Zaphod").body())
        .as(who)
        .contains("\"jobs\":0");
    for (String job : List.of(job(), ended())) {
      for (String what :
          List.of("GET ", "POST /cancellation", "POST /run", "POST /reset", "DELETE ")) {
        String method = what.split(" ")[0];
        String path = "/jobs/%s" + what.substring(method.length() + 1);
        alike(caller, who, method, path, job, "999999999");
      }
    }
    for (String one : named()) {
      String method = one.split(" ")[0];
      alike(
          caller,
          who,
          method,
          one.substring(method.length() + 1).replace("*", "%s"),
          MARK,
          "Nobody");
    }
    for (String change : List.of("PATCH %s {\"paused\":false}", "POST %s/purge {}")) {
      String[] parts = change.split(" ");
      alike(caller, who, parts[0], "/queues/" + parts[1], QUEUE, "nothing", parts[2]);
    }
  }

  private static void alike(
      RawHttp caller, String who, String method, String path, String hidden, String absent) {
    alike(caller, who, method, path, hidden, absent, method.equals("GET") ? "" : "{}");
  }

  /** Fails unless a hidden name and a name that does not exist get the same response. */
  private static void alike(
      RawHttp caller,
      String who,
      String method,
      String path,
      String hidden,
      String absent,
      String body) {
    Answer one = caller.send(method, "/readpast/api" + path.formatted(hidden), body);
    Answer other = caller.send(method, "/readpast/api" + path.formatted(absent), body);
    assertThat(one.status()).as("%s %s as %s: %s", method, path, who, one.body()).isIn(403, 404);
    assertThat(one.status() + one.body())
        .as("%s %s, asked by %s", method, path, who)
        .isEqualTo(other.status() + other.body().replace(absent, hidden));
  }

  /** Fails unless the administrator finds the mark in each of the given responses. */
  void isThere() {
    for (String path : reads()) {
      if (!path.startsWith("/jobs/counts")
          && !path.startsWith("/nodes")
          // This response has counts without names, and only while a user watches;
          // RestrictedQueuesIT tests its roles.
          && !path.startsWith("/throughput")
          && !path.startsWith("/session")) {
        assertThat(admin.get("/readpast/api" + path).body()).as(path).containsAnyOf(MARK, QUEUE);
      }
    }
    assertThat(admin.get("/readpast/api/jobs/counts?queue=secrets").body())
        .containsPattern("\"count\":[1-9]");
  }

  /** Returns the state of all objects in the queue. */
  String state() {
    return TestDatabase.value(
        database,
        """
        select concat_ws(' ', (select string_agg(id || ' ' || priority, ',' order by id) from readpast_job where queue = 'secrets'),
          (select string_agg(id || ' ' || state, ',' order by id) from readpast_job_history where queue = 'secrets'),
          (select paused from readpast_queue where name = 'secrets'),
          (select count(*) from readpast_batch where cancelled_at is not null))""");
  }
}
