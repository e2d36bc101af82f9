package org.readpast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.RestApi;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/** Tests rules and SQL jobs over REST, on the server's own data sources and transactions. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RulesIT {
  private static final Duration SOON = Duration.ofSeconds(40);
  private static final int THINGS = 12_000;
  private static final String PING =
      "{\"search\": \"select id as key from thing\", \"type\": \"readpast.ping\", \"queue\": \"idle\"";
  // The hash of the password "secret".
  private static final String HASH =
      "PBKDF2WithHmacSHA256:2048:c2FsdHNhbHRzYWx0c2FsdA==:Qo5S0bM1EAJCustknDKonlnWdOjdPw8Wv5BJPPdw6Tk=";

  private final Database database = TestPostgres.shared().newDatabase();
  private final ServerProcess server =
      ServerProcess.of(
          ServerSpec.named("rules", database)
              .withApplication("readpast", BuildDirectories.war())
              .withAdmin("secret")
              .withProperty("readpast.users", "viewer,operator")
              .withProperty("readpast.user.\"viewer\".password-hash", HASH)
              .withProperty("readpast.user.\"viewer\".roles", "readpast-viewer")
              .withProperty("readpast.user.\"operator\".password-hash", HASH)
              .withProperty("readpast.user.\"operator\".roles", "readpast-operator")
              .withProperty("readpast.worker.queues", "readpast,sql,default")
              .withProperty("readpast.sql.datasources", "jdbc/readpast,jdbc/readpast-system")
              .withProperty(
                  "readpast.sql.statement.\"mark\"",
                  "insert into mark select :text, current_setting('application_name')")
              .withProperty("readpast.sql.statement.\"late\"", "select pg_sleep(60)")
              .withProperty("readpast.type.\"sql\".timeout", "PT2S")
              .withProperty("readpast.type.\"sql\".max-attempts", "1")
              .withProperty(
                  "readpast.rule.\"declared\".search", "select id as key from thing where id < 6")
              .withProperty("readpast.rule.\"declared\".type", "readpast.ping"));
  private final RestApi admin = new RestApi(server, "admin:secret");

  @BeforeAll
  void start() {
    database.execute("create table thing (id bigint primary key)");
    database.execute("insert into thing select generate_series(1, " + THINGS + ")");
    database.execute("create table mark (text text, application text)");
    server.start();
  }

  @AfterAll
  void stop() {
    if (server.isAlive()) {
      server.kill();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "viewer, GET, /rules, 200",
    "viewer, GET, /rules/declared, 200",
    "viewer, GET, /rules/declared/runs, 200",
    "viewer, GET, /sql/executions, 200",
    "viewer, POST, /rules/declared/runs, 403",
    "operator, PUT, /rules/other, 403",
    "operator, PATCH, /rules/declared, 403",
    "operator, DELETE, /rules/declared, 403",
    "operator, POST, /rules/none/runs, 404",
    "admin, DELETE, /rules/none, 404",
    "admin, GET, /rules/none, 404",
    "admin, PATCH, /rules/none, 404",
    "admin, PUT, /rules/a%20b, 400",
    "admin, PUT, /rules/other, 400",
    "admin, GET, /sql/executions?limit=0, 400",
  })
  void roles_restrict_the_operations(String user, String method, String path, int status) {
    RestApi api = new RestApi(server, user + ":secret");
    String body = method.equals("PUT") || method.equals("PATCH") ? "{}" : "";
    assertThat(api.send(method, path, body).status()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc/readpast", "jdbc/readpast-system"})
  void rule_is_defined_filled_and_removed(String dataSource) {
    String name = "things" + dataSource.length();
    String path = "/rules/" + name;
    RestApi.Reply put = admin.send("PUT", path, PING + ", \"datasource\": \"" + dataSource + "\"}");
    assertThat(put.status()).as("%s", put.body()).isEqualTo(201);
    assertThat(admin.send("PUT", path, PING + "}").status()).isEqualTo(200);
    RestApi.Reply changed =
        admin.send("PATCH", path, "{\"priority\": 7, \"datasource\": \"" + dataSource + "\"}");
    assertThat(changed.object().getInt("priority")).isEqualTo(7);

    JsonObject run = fill(new RestApi(server, "operator:secret"), name);
    assertThat(counts(run)).containsExactly(THINGS, THINGS, 0);
    assertThat(counts(fill(admin, name))).containsExactly(THINGS, 0, THINGS);
    assertThat(admin.get(path).object().getJsonObject("lastRun").getInt("skipped"))
        .isEqualTo(THINGS);
    assertThat(admin.get("/rules").body().asJsonArray().getValuesAs(JsonObject.class))
        .filteredOn(one -> one.getString("name").equals(name))
        .singleElement()
        .satisfies(
            one -> assertThat(one.getJsonObject("lastRun").getInt("skipped")).isEqualTo(THINGS));
    assertThat(
            count(
                "select count(distinct unique_key) from readpast_job where priority = 7 and unique_key like 'rule:"
                    + name
                    + ":%'"))
        .isEqualTo(THINGS);

    assertThat(admin.send("DELETE", path, "").status()).isEqualTo(204);
    assertThat(admin.get(path).status()).isEqualTo(404);
    database.execute("delete from readpast_job where queue = 'idle'");
  }

  private JsonObject fill(RestApi by, String rule) {
    RestApi.Reply started = by.post("/rules/" + rule + "/runs", "");
    assertThat(started.status()).as("%s", started.body()).isEqualTo(202);
    awaitEnd(started.object().getInt("id"));
    JsonObject run = admin.get("/rules/" + rule + "/runs").body().asJsonArray().getJsonObject(0);
    assertThat(run.getString("state")).as("%s", run).isEqualTo("COMPLETED");
    assertThat(run.getInt("job")).isEqualTo(started.object().getInt("id"));
    return run;
  }

  private static List<Integer> counts(JsonObject run) {
    return List.of(run.getInt("found"), run.getInt("new"), run.getInt("skipped"));
  }

  private JsonObject awaitEnd(int job) {
    Await.until(
        SOON, "end of job " + job, () -> admin.get("/jobs/" + job).object().containsKey("endedAt"));
    return admin.get("/jobs/" + job).object();
  }

  private long count(String sql) {
    return TestDatabase.count(database, sql);
  }

  @Test
  void rule_of_the_configuration_is_filled_but_not_changed() {
    assertThat(admin.get("/rules/declared").object().getBoolean("declared")).isTrue();
    assertThat(counts(fill(admin, "declared"))).containsExactly(5, 5, 0);
    RestApi.Reply changed = admin.send("PATCH", "/rules/declared", "{\"priority\": 1}");
    assertThat(changed.status()).isEqualTo(409);
    assertThat(changed.detail()).contains("declared by the configuration");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"search\": \"selec\", \"type\": \"readpast.ping\" | 42601",
        "\"search\": \"delete from thing returning id\", \"type\": \"readpast.ping\" | 42601",
        "\"search\": \"select id from thing for update\", \"type\": \"readpast.ping\" | must"
            + " not change data",
        "\"search\": \"select 1 as id; delete from thing\", \"type\": \"readpast.ping\" | one statement",
        "\"search\": \"select id from thing\", \"type\": \"nobodys\" | nobodys",
        "\"search\": \"select id from thing\", \"type\": \"readpast.ping\", \"datasource\": \"jdbc/other\" | not allowed",
      })
  void invalid_rule_is_refused_with_the_reason(String fields, String reason) {
    RestApi.Reply put = admin.send("PUT", "/rules/refused", "{" + fields + "}");
    assertThat(put.status()).as("%s", put.body()).isEqualTo(422);
    assertThat(put.detail()).contains(reason);
    assertThat(admin.get("/rules/refused").status()).isEqualTo(404);
    assertThat(count("select count(*) from thing")).isEqualTo(THINGS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc/readpast", "jdbc/readpast-system"})
  void named_statement_runs_on_its_data_source_and_is_logged(String dataSource) {
    JsonObject job =
        execute(
            "{\"statement\":\"mark\",\"parameters\":{\"text\":\"%s\"},\"datasource\":\"%1$s\"}"
                .formatted(dataSource));
    assertThat(job.getString("state")).as("%s", job).isEqualTo("COMPLETED");
    assertThat(
            TestDatabase.column(
                database, "select application from mark where text = '" + dataSource + "'"))
        .containsExactly(dataSource.substring("jdbc/".length()));
    JsonObject entry =
        admin
            .get("/sql/executions?job=" + job.getInt("id"))
            .object()
            .getJsonArray("executions")
            .getJsonObject(0);
    assertThat(entry.getString("statement")).isEqualTo("mark");
    assertThat(entry.getInt("rows")).isOne();
    assertThat(entry.keySet()).contains("startedAt", "endedAt").doesNotContain("error");
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc/readpast", "jdbc/readpast-system"})
  void statement_is_cancelled_at_the_timeout_of_its_job(String dataSource) {
    JsonObject job = execute("{\"statement\":\"late\",\"datasource\":\"" + dataSource + "\"}");
    assertThat(job.getString("state")).isEqualTo("DISCARDED");
    assertThat(job.getJsonArray("attempts").toString()).contains("TIMED_OUT");
    assertThat(admin.get("/sql/executions?job=" + job.getInt("id")).body().toString())
        .contains("57014");
    assertThat(
            count(
                "select count(*) from pg_stat_activity where state = 'active' and query like '%pg_sleep(60)%'"
                    + " and pid <> pg_backend_pid()"))
        .isZero();
  }

  @Test
  void statement_supplied_by_a_job_is_refused() {
    JsonObject job = execute("{\"sql\":\"delete from thing\"}");
    assertThat(job.getString("state")).isEqualTo("DISCARDED");
    assertThat(job.getJsonArray("attempts").toString()).contains("readpast.sql.given");
    assertThat(count("select count(*) from thing")).isEqualTo(THINGS);
  }

  private JsonObject execute(String payload) {
    RestApi.Reply posted =
        admin.post("/queues/sql/jobs", "{\"type\":\"sql\",\"payload\":" + payload + "}");
    assertThat(posted.status()).as("%s", posted.body()).isEqualTo(201);
    return awaitEnd(posted.object().getInt("id"));
  }
}
