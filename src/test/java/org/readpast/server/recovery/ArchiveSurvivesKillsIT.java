package org.readpast.server.recovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.Http;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Runs {@code src/examples/archive} once, and kills its server while it loads data and while it
 * archives.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArchiveSurvivesKillsIT {
  private static final String PASSWORD = "archive-test";

  // The jobs of a dead node become available after 25 s at the latest, and the server needs time to
  // start.
  private static final Duration LIMIT = Duration.ofMinutes(4);

  private final Database database = TestPostgres.shared().newDatabase();
  private final ServerProcess server =
      ServerProcess.of(
          ServerSpec.named("archive", database)
              .withApplication("readpast", BuildDirectories.war())
              .withApplication("archive", Path.of("target/examples/archive/target/archive.war"))
              .withProperty("readpast.sql.datasources", "jdbc/readpast")
              .withAdmin(PASSWORD));

  private long run;
  private long files;

  @BeforeAll
  void run_completes_despite_two_kills() throws Exception {
    server.start();
    awaitArchive();
    JsonObject started = send(authorized("").POST(BodyPublishers.noBody()), 202);
    run = started.getJsonNumber("runId").longValue();
    files = started.getJsonNumber("documents").longValue();

    Await.until(LIMIT, "loading", () -> loaded() >= 1_000);
    server.kill();
    assertThat(loaded()).as("loaded at the first kill").isLessThan(files);

    server.launch();
    Await.until(LIMIT, "archiving", () -> archived() >= files / 3);
    server.kill();
    assertThat(archived()).as("archived at the second kill").isLessThan(files);

    server.start();
    awaitArchive();
    Await.until(LIMIT, "end of the run", () -> get("/" + run).getString("state").equals("DONE"));
  }

  @AfterAll
  void endServer() {
    if (server.isAlive()) {
      server.kill();
    }
  }

  @Test
  void each_file_is_archived_exactly_once_and_unzips_to_the_original() throws Exception {
    JsonObject proof = get("/" + run + "/proof");

    assertThat(proof.getBoolean("exactlyOnce")).as("%s", proof).isTrue();
    assertThat(files).isGreaterThan(5_000);
    assertThat(count("select count(*) from archived_document where run_id = " + run))
        .isEqualTo(files);
    assertThat(count("select count(*) from document")).isZero();
  }

  @Test
  void every_job_has_completed() {
    assertThat(count("select count(*) from readpast_job where queue = 'archive'")).isZero();
    assertThat(count("select count(*) from readpast_job_history where state <> 'COMPLETED'"))
        .isZero();
    assertThat(count("select count(*) from readpast_job_history where type = 'document.archive'"))
        .isEqualTo(files);
  }

  @Test
  void proof_detects_a_file_that_was_archived_twice() throws Exception {
    database.execute(
        """
        insert into archived_document (id, run_id, path, sha256, size, gzip)
        select -1, run_id, path, sha256, size, gzip from archived_document where run_id = %d limit 1
        """
            .formatted(run));
    try {
      assertThat(get("/" + run + "/proof").getBoolean("exactlyOnce")).isFalse();
    } finally {
      database.execute("delete from archived_document where id = -1");
    }
  }

  @Test
  void unauthenticated_requests_are_refused() throws Exception {
    for (String path : new String[] {"", "/" + run, "/" + run + "/proof"}) {
      var request = HttpRequest.newBuilder(server.uri("/archive/runs" + path)).build();
      assertThat(Http.CLIENT.send(request, BodyHandlers.ofString()).statusCode())
          .as(path)
          .isEqualTo(401);
    }
  }

  // The server may be ready before the application.
  private void awaitArchive() {
    Await.until(
        LIMIT, "the archive application", () -> respond(authorized("")).statusCode() == 200);
  }

  private long loaded() {
    return count("select loaded from archive_run where id = " + run);
  }

  private long archived() {
    return count("select count(*) from archived_document where run_id = " + run);
  }

  private long count(String sql) {
    return TestDatabase.count(database, sql);
  }

  private JsonObject get(String path) throws IOException, InterruptedException {
    return send(authorized(path), 200);
  }

  private JsonObject send(HttpRequest.Builder request, int status)
      throws IOException, InterruptedException {
    HttpResponse<String> response = respond(request);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    try (var reader = Json.createReader(new StringReader(response.body()))) {
      return reader.readObject();
    }
  }

  private HttpResponse<String> respond(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return Http.CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder authorized(String path) {
    String credentials = Base64.getEncoder().encodeToString(("admin:" + PASSWORD).getBytes(UTF_8));
    return HttpRequest.newBuilder(server.uri("/archive/runs" + path))
        .timeout(Duration.ofMinutes(1))
        .header("Authorization", "Basic " + credentials);
  }
}
