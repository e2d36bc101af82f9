package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaNameTest {
  private final SchemaName jobs = new SchemaName("jobs");

  @ParameterizedTest
  @ValueSource(strings = {"jobs", "_", "a1_b", "pg", "pgbouncer", "information_schemas"})
  void plain_identifier_is_accepted(String name) {
    assertThat(new SchemaName(name).name()).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Jobs",
        "1jobs",
        "job-s",
        "jobs ",
        "jobs\n",
        "jöbs",
        "a.b",
        "a\"b",
        "a;drop table x",
        "pg_catalog",
        "information_schema",
        "a234567890123456789012345678901234567890123456789012345678901234"
      })
  void invalid_name_is_refused_with_the_rule(String name) {
    assertThatThrownBy(() -> new SchemaName(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "'")
        .hasMessageContaining("up to 63");
  }

  @Test
  void names_of_tables_and_sequences_are_qualified_also_in_literals() {
    assertThat(
            jobs.qualify(
                "select nextval('readpast_position') from readpast_job j, (readpast_node)"
                    + " where readpast_job.id = 1"))
        .isEqualTo(
            "select nextval('\"jobs\".readpast_position') from \"jobs\".readpast_job j,"
                + " (\"jobs\".readpast_node) where \"jobs\".readpast_job.id = 1");
  }

  @Test
  void other_text_of_a_statement_stays_unchanged() {
    String other =
        "select 'readpast', starts_with(relname, 'readpast_'), x.readpast_job, my_readpast_job"
            + " from pg_temp.readpast_object";
    assertThat(jobs.qualify(other)).isEqualTo(other);
  }

  @Test
  void statement_stays_unchanged_without_a_configured_schema() {
    assertThat(SchemaName.NONE.qualify("table readpast_job")).isEqualTo("table readpast_job");
  }
}
