package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobType;
import org.readpast.api.Upcasts;
import org.readpast.engine.UnreadablePayloadException;
import org.readpast.model.StoredType;

class TypeVersionsTest {
  private final Json json = new Json();

  /** Represents the third version of a renamed type. */
  @JobType(value = "mail.send", version = 3, aliases = "mail.dispatch")
  public record Mail(String to, String subject, int copies) {
    @Upcasts(from = 1)
    static JsonObject withSubject(JsonObject old) {
      return jakarta.json.Json.createObjectBuilder(old).add("subject", "none").build();
    }

    @Upcasts(from = 2)
    private static String withCopies(String old) {
      return old.replace("}", ",\"copies\":1}");
    }
  }

  @JobType(
      value = "t",
      version = 4,
      aliases = {"t", "a b"})
  record Broken() {
    @Upcasts(from = 1)
    String notStatic(String old) {
      return old;
    }

    @Upcasts(from = 4)
    static String tooHigh(String old) {
      return old;
    }

    @Upcasts(from = 2)
    static int otherResult(String old) {
      return old.length();
    }
  }

  @JobType(value = "t", version = 4)
  record Gap() {
    @Upcasts(from = 2)
    static String two(String old) {
      return old;
    }
  }

  private static List<String> faults(Class<?> payload) {
    List<String> faults = new ArrayList<>();
    TypeVersions.of(
        Objects.requireNonNull(payload.getAnnotation(JobType.class)), payload, "payload P", faults);
    return faults;
  }

  @Test
  void payloads_of_old_versions_are_read_through_the_whole_chain() {
    Mail expected = new Mail("a", "none", 1);
    assertThat(json.readUpcast(new StoredType("mail.send", 1), null, "{\"to\":\"a\"}", Mail.class))
        .isEqualTo(expected);
    assertThat(
            json.readUpcast(
                new StoredType("mail.dispatch", 2),
                null,
                "{\"to\":\"a\",\"subject\":\"none\"}",
                Mail.class))
        .isEqualTo(expected);
  }

  @Test
  void payload_of_a_newer_version_is_unreadable() {
    assertThatThrownBy(
            () ->
                json.payloadOf(
                    7, new StoredType("mail.send", 4), "application/json", "{}", Mail.class))
        .isInstanceOf(UnreadablePayloadException.class)
        .hasMessageContaining("type 'mail.send' (version 4)")
        .hasMessageContaining("the class that reads it here has version 3");
  }

  @Test
  void every_name_and_version_with_a_chain_is_readable() {
    JobType type = Objects.requireNonNull(Mail.class.getAnnotation(JobType.class));
    assertThat(JobPreparer.readable(type, Mail.class, "Mail").stream().map(StoredType::stored))
        .containsExactly(
            "mail.send@3",
            "mail.send@2",
            "mail.send",
            "mail.dispatch@3",
            "mail.dispatch@2",
            "mail.dispatch");
  }

  @Test
  void broken_rules_are_reported_together() {
    assertThat(faults(Broken.class))
        .hasSize(5)
        .anyMatch(fault -> fault.contains("'a b' is not a valid name"))
        .anyMatch(fault -> fault.contains("names 't' twice"))
        .anyMatch(fault -> fault.contains("notStatic does not have the signature of an upcast"))
        .anyMatch(fault -> fault.contains("otherResult does not have the signature of an upcast"))
        .anyMatch(fault -> fault.contains("tooHigh takes version 4"));
  }

  @Test
  void gap_in_the_chain_is_an_error() {
    assertThat(faults(Gap.class))
        .containsExactly(
            "payload P has @Upcasts methods from version 2, but none from version 3; add it, so"
                + " that the methods lead to version 4");
  }
}
