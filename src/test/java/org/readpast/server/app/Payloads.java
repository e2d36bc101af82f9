package org.readpast.server.app;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.readpast.api.JobType;
import org.readpast.api.Upcasts;

/** Contains the payloads of the application's handlers. */
public final class Payloads {
  private Payloads() {}

  /** Is handled by a bean that implements JobHandler. */
  @JobType("app.bean")
  public record ToBean(
      String text,
      int number,
      Line line,
      List<Line> lines,
      Map<String, BigDecimal> prices,
      Instant moment,
      UUID uuid,
      Duration duration,
      Colour colour,
      Long nothing) {}

  public record Line(String article, BigDecimal amount) {}

  public enum Colour {
    RED,
    GREEN
  }

  /** Is handled by a method of a CDI bean. */
  @JobType("app.method")
  public record ToMethod(String text) {}

  /** Represents the second version of the job type that was previously named "app.renamed". */
  @JobType(value = "app.versioned", version = 2, aliases = "app.renamed")
  public record Versioned(String text, int number) {
    @Upcasts(from = 1)
    static JsonObject numbered(JsonObject old) {
      return Json.createObjectBuilder(old).add("number", 7).build();
    }
  }

  /** Is handled by a method of an EJB. */
  @JobType("app.ejb")
  public record ToEjb(String text) {}

  /** Is handled in mode TRANSACTIONAL by code that the test defines. */
  @JobType("app.transactional")
  public record Transactional(String step) {}

  /** Is handled in mode LEASED by code that the test defines. */
  @JobType("app.leased")
  public record Leased(String step) {}

  /** Is handled like {@link Transactional}, with further settings in the configuration. */
  @JobType("app.configured")
  public record Configured(String step) {}

  /** Holds the payload of a TRANSACTIONAL job that is retried until it succeeds. */
  @JobType("app.tireless")
  public record Tireless(String step) {}

  /** Holds the payload of a TRANSACTIONAL job with a long time limit. */
  @JobType("app.patient")
  public record Patient(String step) {}

  /** Holds the payload of a LEASED job with a long time limit. */
  @JobType("app.patient-leased")
  public record PatientLeased(String step) {}

  /** This job type has no handler, so its jobs stay AVAILABLE. */
  @JobType("app.follower")
  public record Follower(String step) {}
}
