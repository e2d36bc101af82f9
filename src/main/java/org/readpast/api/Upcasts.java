package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Turns the payload of one version of a job type into that of the next, so that an application that
 * has the new version works jobs that were enqueued in the old one.
 *
 * <p>Shape: {@code static String method(String)} or {@code static JsonObject method(JsonObject)}
 * (of {@code jakarta.json}), from JSON to JSON, on the class that bears {@link JobType}: the
 * payload's class, or the handler's where the payload is a {@code byte[]} or a {@code String}.
 * Methods are chained: for version 3, {@code from = 1} gives version 2 and {@code from = 2} gives
 * version 3. A gap in the chain, two methods of one version and any other shape stop the
 * deployment. A payload for which a method throws is unreadable for this application.
 *
 * <pre>{@code
 * @JobType(value = "mail.send", version = 2)
 * public record Mail(String to, String subject) {
 *   @Upcasts(from = 1)
 *   static JsonObject withSubject(JsonObject old) {
 *     return Json.createObjectBuilder(old).add("subject", "(none)").build();
 *   }
 * }
 * }</pre>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Upcasts {
  /** The version that the method takes; it gives the next one. */
  int from();
}
