package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Converts the payload of one version of a job type to the next version, so that an application
 * with the new version can handle jobs that were enqueued in the old one.
 *
 * <p>The method has the form {@code static String method(String)} or {@code static JsonObject
 * method(JsonObject)} (of {@code jakarta.json}), and converts JSON to JSON. The method belongs to
 * the class that is annotated with {@link JobType}: the payload's class, or the handler's class if
 * the payload is a {@code byte[]} or a {@code String}. Methods are chained: for version 3, {@code
 * from = 1} returns version 2 and {@code from = 2} returns version 3. A gap in the chain, two
 * methods for one version, or a method of another form stops the deployment. If a method throws an
 * exception, this application cannot read the payload.
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
  /** Specifies the version that the method converts to the next one. */
  int from();
}
