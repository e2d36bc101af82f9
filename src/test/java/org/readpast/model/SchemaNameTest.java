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
  void plain_identifier_is_a_name(String name) {
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
  void anything_else_is_refused_with_the_rule(String name) {
    assertThatThrownBy(() -> new SchemaName(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "'")
        .hasMessageContaining("up to 63");
  }

  @Test
  void names_of_tables_and_sequences_get_the_schema_also_in_literals() {
    assertThat(
            jobs.qualify(
                "select nextval('readpast_position') from readpast_job j, (readpast_node)"
                    + " where readpast_job.id = 1"))
        .isEqualTo(
            "select nextval('\"jobs\".readpast_position') from \"jobs\".readpast_job j,"
                + " (\"jobs\".readpast_node) where \"jobs\".readpast_job.id = 1");
  }

  @Test
  void nothing_else_in_a_statement_changes() {
    String other =
        "select 'readpast', starts_with(relname, 'readpast_'), x.readpast_job, my_readpast_job"
            + " from pg_temp.readpast_object";
    assertThat(jobs.qualify(other)).isEqualTo(other);
  }

  @Test
  void statement_stays_as_it_is_where_no_schema_is_configured() {
    assertThat(SchemaName.NONE.qualify("table readpast_job")).isEqualTo("table readpast_job");
  }
}
