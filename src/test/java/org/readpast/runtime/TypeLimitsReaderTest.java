package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.readpast.engine.Settings.ConfiguredTypeLimits;
import org.readpast.engine.Settings.TypeConcurrency;

class TypeLimitsReaderTest {
  private static final Map<String, String> ALIASES = Map.of("mail.dispatch", "mail.send");

  private static ConfiguredTypeLimits read(String type, Map<String, String> said) {
    ConfigurationErrors errors =
        new ConfigurationErrors(
            key ->
                Optional.ofNullable(said.get(key.replace("readpast.type.\"" + type + "\".", ""))));
    ConfiguredTypeLimits limits = TypeLimitsReader.read(Set.of(type), ALIASES, errors);
    errors.report();
    return limits;
  }

  @Test
  void limits_are_read_for_each_node_and_for_all_nodes() {
    assertThat(read("mail.send", Map.of("concurrency", "2", "global-concurrency", "0")).types())
        .containsExactly(Map.entry("mail.send", new TypeConcurrency(2, 0)));
    assertThat(read("mail.send", Map.of("timeout", "PT1S")).types()).isEmpty();
  }

  @Test
  void aliases_and_versions_count_under_their_type() {
    ConfiguredTypeLimits limits = read("mail.send", Map.of("concurrency", "2"));
    assertThat(limits.aliasOf("mail.dispatch@3")).isEqualTo("mail.send");
    assertThat(limits.aliasOf("mail.send@2")).isNull();
    assertThat(limits.names("mail.send")).containsExactlyInAnyOrder("mail.send", "mail.dispatch");
  }

  @Test
  void limit_out_of_range_is_refused() {
    assertThatThrownBy(() -> read("mail.send", Map.of("concurrency", "1001")))
        .hasMessageContaining(
            "readpast.type.\"mail.send\".concurrency is '1001'; specify 0 to 1000");
    assertThatThrownBy(() -> read("mail.send", Map.of("global-concurrency", "-1")))
        .hasMessageContaining(
            "readpast.type.\"mail.send\".global-concurrency is '-1'; specify 0 to 10000");
    assertThatThrownBy(() -> read("mail.send", Map.of("concurrency", "two")))
        .hasMessageContaining("readpast.type.\"mail.send\".concurrency is 'two'; specify a number");
  }

  @Test
  void limit_of_an_alias_or_of_a_version_is_refused() {
    assertThatThrownBy(() -> read("mail.dispatch", Map.of("concurrency", "1")))
        .hasMessageContaining(
            "readpast.type.\"mail.dispatch\".concurrency is '1'; 'mail.dispatch' is an alias,"
                + " and its jobs count towards job type 'mail.send'; set the limit of that type");
    assertThatThrownBy(() -> read("mail.send@2", Map.of("global-concurrency", "1")))
        .hasMessageContaining("name the type without a version");
  }

  @Test
  void limit_of_an_impossible_type_name_is_refused() {
    String tooLong = "t".repeat(301);
    assertThatThrownBy(() -> read(tooLong, Map.of("concurrency", "1")))
        .hasMessageContaining("readpast.type.\"" + tooLong + "\".concurrency");
    assertThatThrownBy(() -> read("", Map.of("global-concurrency", "1")))
        .hasMessageContaining("readpast.type.\"\".global-concurrency");
  }
}
