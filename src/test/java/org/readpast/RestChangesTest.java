package org.readpast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** Tests that the REST API keeps what the last release described. */
class RestChangesTest {
  private static final Path RELEASED = Path.of("src/api/openapi.yaml");
  private static final Path NOW = Path.of("src/main/webapp/WEB-INF/classes/META-INF/openapi.yaml");

  private static final String SMALL =
      """
      paths:
        /jobs/{id}:
          parameters:
            - $ref: '#/components/parameters/id'
          post:
            parameters:
              - {name: force, in: query, schema: {type: boolean}}
            requestBody:
              content:
                application/json:
                  schema: {$ref: '#/components/schemas/Change'}
            responses:
              "200":
                content:
                  application/json:
                    schema: {$ref: '#/components/schemas/Job'}
              "404": {description: no such job}
      components:
        parameters:
          id: {name: id, in: path, required: true, schema: {type: integer}}
        schemas:
          Change:
            type: object
            required: [action]
            properties:
              action: {type: string, enum: [RESET, CANCEL]}
              priority: {type: integer}
          Job:
            type: object
            required: [id, children]
            properties:
              id: {type: integer}
              note: {type: string}
              children: {type: array, items: {$ref: '#/components/schemas/Job'}}
      """;

  private static Map<String, Object> read(Path file) throws IOException {
    return new Yaml().load(Files.readString(file));
  }

  @Test
  void nothing_that_the_last_release_described_is_broken() throws IOException {
    assertThat(RestChanges.breaking(read(RELEASED), read(NOW))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /jobs/{id}:                | /job/{id}:                   | post /jobs/{id} is gone
          name: force,               | name: forced,                | has no parameter force in query
          in: query,                 | in: query, required: true,   | requires the parameter force in query
          schema: {type: boolean}    | schema: {type: string}       | force in query was boolean and is string
          required: [action]         | required: [action, priority] | request requires priority
          enum: [RESET, CANCEL]      | enum: [RESET]                | accepts only [RESET]
          priority: {type: integer}  | prio: {type: integer}        | request has no priority
          note: {type: string}       | remark: {type: string}       | 200 has no note
          required: [id, children]   | required: [id]               | 200 may be without children
          id: {type: integer}        | id: {type: string}           | 200.id was integer and is string
          "404":                     | "410":                       | no longer responds with 404
          application/json:          | text/plain:                  | has no application/json
          """)
  void change_that_breaks_clients_is_found(String text, String replacement, String found) {
    Map<String, Object> before = new Yaml().load(SMALL);
    Map<String, Object> after = new Yaml().load(SMALL.replace(text, replacement));
    assertThat(RestChanges.breaking(before, after)).anyMatch(change -> change.contains(found));
  }

  @Test
  void addition_breaks_nothing() {
    String more =
        SMALL
            .replace("in: query,", "in: query, description: new,")
            .replace("[RESET, CANCEL]", "[RESET, CANCEL, MOVE]")
            .replace("note: {type: string}", "note: {type: string}\n        more: {type: string}")
            .replace("required: [id, children]", "required: [id, children, note]");
    assertThat(RestChanges.breaking(new Yaml().load(SMALL), new Yaml().load(more))).isEmpty();
  }
}
