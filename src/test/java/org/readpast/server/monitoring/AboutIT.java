package org.readpast.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.RestApi;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestPostgres;

/** Tests what Readpast reports about its version, its configuration and its database. */
class AboutIT {
  // The hash of the password "secret".
  private static final String HASH =
      "PBKDF2WithHmacSHA256:2048:c2FsdHNhbHRzYWx0c2FsdA==:Qo5S0bM1EAJCustknDKonlnWdOjdPw8Wv5BJPPdw6Tk=";
  private static final String KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
  private static final ServerProcess SERVER =
      ServerProcess.of(
          ServerSpec.named("about", TestPostgres.shared().newDatabase())
              .withApplication("readpast", BuildDirectories.war())
              .withEnvironment("READPAST_POLL_INTERVAL", "PT3S")
              .withProperty("readpast.admin.password", "secret")
              .withProperty("readpast.retention.audit", "P30D")
              .withProperty("readpast.payload.masked", "token")
              .withProperty("readpast.webhook.url", "http://localhost:1/in-the-path")
              .withProperty("readpast.webhook.allow", "localhost:1")
              .withProperty("readpast.webhook.secret", "whsec_dGhlIHNlY3JldCBvZiB0aGUgd2ViaG9vaw==")
              .withProperty("readpast.retention.completd", "P1D")
              .withProperty("readpast.queue.\"mail\".concurrency", "3")
              .withProperty("readpast.schedule.\"s\".daily", "02:30")
              .withProperty("readpast.schedule.\"s\".type", "readpast.ping")
              .withProperty("readpast.schedule.\"s\".payload", "{\"token\":\"hidden\"}")
              .withProperty("readpast.encryption.key.\"old\"", KEY)
              .withProperty("readpast.encryption.key.\"new\"", KEY.replace('A', 'B'))
              .withProperty("readpast.encryption.current-key", "new")
              .withProperty("readpast.users", "viewer")
              .withProperty("readpast.user.\"viewer\".password-hash", HASH)
              .withProperty("readpast.user.\"viewer\".roles", "readpast-viewer"));

  @BeforeAll
  static void start() {
    SERVER.start();
  }

  @AfterAll
  static void stop() {
    SERVER.kill();
  }

  private static JsonObject about(String login) {
    var reply = new RestApi(SERVER, login).get("/about");
    assertThat(reply.status()).isEqualTo(200);
    return reply.object();
  }

  private static JsonObject setting(JsonObject about, String key) {
    return about.getJsonArray("configuration").getValuesAs(JsonObject.class).stream()
        .filter(setting -> setting.getString("key").equals(key))
        .findFirst()
        .orElseThrow(() -> new AssertionError(key + " is not in " + about));
  }

  @Test
  void versions_are_reported() {
    JsonObject versions = about("viewer:secret").getJsonObject("versions");
    assertThat(versions.getString("Readpast")).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(versions.getString("Server")).containsAnyOf("Liberty", "Payara");
    assertThat(versions.getString("Java")).startsWith(Runtime.version().feature() + ".");
    assertThat(versions.getString("PostgreSQL")).startsWith("18.");
    assertThat(versions.getString("EclipseLink")).startsWith("4.");
  }

  @Test
  void configuration_is_shown_with_its_sources() {
    JsonObject about = about("viewer:secret");
    JsonObject audit = setting(about, "readpast.retention.audit");
    assertThat(audit.getString("value")).isEqualTo("P30D");
    assertThat(audit.getString("source")).isNotEqualTo("default");
    assertThat(setting(about, "readpast.poll-interval").getString("value")).isEqualTo("PT3S");
    assertThat(setting(about, "readpast.poll-interval").getString("source"))
        .isNotIn("default", audit.getString("source"));
    JsonObject lease = setting(about, "readpast.lease");
    assertThat(lease.getString("value") + lease.getString("source")).isEqualTo("PT10Sdefault");
    assertThat(setting(about, "readpast.queue.\"mail\".concurrency").getBoolean("known")).isTrue();
    assertThat(setting(about, "readpast.retention.completd").getBoolean("known")).isFalse();
  }

  @Test
  void secrets_are_reported_as_set_without_their_values() {
    JsonObject about = about("admin:secret");
    for (String key :
        new String[] {
          "readpast.admin.password",
          "readpast.encryption.key.\"old\"",
          "readpast.webhook.secret",
          "readpast.webhook.url",
          "readpast.user.\"viewer\".password-hash"
        }) {
      assertThat(setting(about, key).getBoolean("secret")).as(key).isTrue();
      assertThat(setting(about, key)).as(key).doesNotContainKey("value");
    }
    assertThat(about.toString())
        .doesNotContain("signature", "in-the-path", HASH.substring(40), KEY);
  }

  @Test
  void plain_text_password_is_accepted_with_a_warning() {
    assertThat(SERVER.awaitLogged("READPAST-0412")).contains("org.readpast.runtime.HashPassword");
  }

  @Test
  void key_rotation_is_a_job_whose_result_reports_completion() {
    RestApi admin = new RestApi(SERVER, "admin:secret");
    var reply = admin.post("/encryption/rotations", "");
    assertThat(reply.status()).isEqualTo(202);
    long id = reply.object().getJsonNumber("id").longValueExact();
    Await.until(
        Duration.ofSeconds(60),
        "the end of the rotation",
        () -> admin.get("/jobs/" + id).object().getString("state").equals("COMPLETED"));
    JsonObject result = admin.get("/jobs/" + id).object().getJsonObject("result");
    assertThat(result.getString("key")).isEqualTo("new");
    assertThat(result.getBoolean("complete")).isTrue();
    JsonObject state = admin.get("/encryption").object();
    assertThat(state.getString("currentKey")).isEqualTo("new");
    assertThat(state.getJsonArray("keys").getValuesAs(JsonObject.class))
        .extracting(key -> key.getString("id") + " " + key.getBoolean("available"))
        .contains("new true");
    assertThat(new RestApi(SERVER, "viewer:secret").get("/encryption").status()).isEqualTo(403);
  }

  @Test
  void payload_of_the_configuration_is_masked_for_viewers() {
    String key = "readpast.schedule.\"s\".payload";
    assertThat(setting(about("viewer:secret"), key).getString("value"))
        .isEqualTo("{\"token\":\"***\"}");
    assertThat(setting(about("admin:secret"), key).getString("value"))
        .isEqualTo("{\"token\":\"hidden\"}");
  }

  @Test
  void database_is_described_by_its_tables_and_indexes() {
    JsonObject database = about("viewer:secret").getJsonObject("database");
    assertThat(database.getJsonArray("relations").getValuesAs(JsonObject.class))
        .anySatisfy(
            relation -> {
              assertThat(relation.getString("name")).isEqualTo("readpast_job");
              assertThat(relation).containsKeys("bytes", "live", "dead").doesNotContainKey("table");
            })
        .anySatisfy(
            relation -> {
              assertThat(relation.getString("name")).isEqualTo("readpast_job_claim");
              assertThat(relation.getString("table")).isEqualTo("readpast_job");
              assertThat(relation).containsKeys("bytes", "scans").doesNotContainKey("live");
            });
    assertThat(database.getInt("hiddenSessions")).isZero();
  }
}
