package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.model.QueueRoles;
import org.readpast.model.Role;
import org.readpast.support.MapConfig;

class QueueRolesReaderTest {
  private final ConfigurationErrors errors = new ConfigurationErrors(key -> Optional.empty());

  private QueueRoles read(Map<String, String> values) {
    return QueueRolesReader.read(new MapConfig(values), errors);
  }

  @Test
  void roles_of_queues_are_read_with_and_without_quotes() {
    QueueRoles roles =
        read(
            Map.of(
                "readpast.queue.\"pay.roll\".roles.viewer", "hr, hr-lead",
                "readpast.queue.mail.roles.operator", "post",
                "readpast.queue.\"roles.viewer\".concurrency", "3"));
    assertThatCode(errors::report).doesNotThrowAnyException();
    assertThat(roles.access(List.of("hr-lead")).has(Role.VIEWER, "pay.roll")).isTrue();
    assertThat(roles.access(List.of("hr-lead")).has(Role.OPERATOR, "pay.roll")).isFalse();
    assertThat(roles.access(List.of("post")).has(Role.OPERATOR, "mail")).isTrue();
    assertThat(roles.restricts("roles.viewer")).isFalse();
  }

  /** If an invalid key were ignored, its queue would be open to all. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "readpast.queue.\"payroll\".roles.viewr | hr | is not a known key",
        "readpast.queue.\"payroll\".roles | hr | is not a known key",
        "readpast.queue.\"payroll\".roles.viewer.x | hr | is not a known key",
        "readpast.queue.pay.roll.roles.viewer | hr | is not a known key",
        "readpast.queue.roles.viewer | hr | is not a known key",
        "readpast.queue.\"payroll\".roles.viewer | '' | specify the names",
        "readpast.queue.\"payroll\".roles.viewer | hr,,it | specify the names",
        "readpast.queue.\"payroll\".roles.admin | ** | specify the names",
        "readpast.queue.\"pay roll\".roles.admin | hr | pay roll",
      })
  void invalid_key_is_reported_by_name(String key, String value, String why) {
    read(Map.of(key, value));
    assertThatThrownBy(errors::report).hasMessageContaining(key).hasMessageContaining(why);
  }

  /**
   * Without a matching key, the variable would define no key for MicroProfile Config, so the queue
   * would stay open.
   */
  @Test
  void environment_variable_without_a_matching_key_is_an_error() {
    read(
        Map.of(
            "readpast.queue.\"mail\".roles.viewer", "post",
            "READPAST_QUEUE__MAIL__ROLES_VIEWER", "clerk"));
    assertThatCode(errors::report).doesNotThrowAnyException();

    read(Map.of("READPAST_QUEUE__PAYROLL__ROLES_VIEWER", "hr"));
    assertThatThrownBy(errors::report)
        .hasMessageContaining("READPAST_QUEUE__PAYROLL__ROLES_VIEWER")
        .hasMessageContaining("does not identify the queue");
  }

  @Test
  void queue_with_invalid_roles_is_closed_to_everyone() {
    QueueRoles roles = read(Map.of("readpast.queue.\"payroll\".roles.viewer", ""));
    assertThat(roles.restricts("payroll")).isTrue();
    assertThat(roles.access(List.of("readpast-viewer", "")).has(Role.VIEWER, "payroll")).isFalse();
  }
}
