package org.readpast.rest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.api.JobState;
import org.readpast.model.SearchOrder;

class ParametersTest {

  @Test
  void cursor_survives_encoding_and_decoding() {
    assertThat(Cursor.read(Cursor.below(Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE);
    assertThat(Cursor.read(null)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "zzz", "%%%", "YmVsb3c6", "YmVsb3c6eA", "ÿ"})
  void foreign_cursor_is_refused(String cursor) {
    assertThatThrownBy(() -> Cursor.read(cursor)).isInstanceOf(RequestException.class);
  }

  @Test
  void cursor_of_another_order_is_refused() {
    assertThat(Cursor.read(SearchOrder.OLDEST, Cursor.after(SearchOrder.OLDEST, 7))).isEqualTo(7);
    assertThatThrownBy(() -> Cursor.read(SearchOrder.OLDEST, Cursor.below(7)))
        .hasMessageContaining("of the same list and order");
    assertThatThrownBy(() -> Cursor.read(Cursor.after(SearchOrder.OLDEST, 7)))
        .hasMessageContaining("of the same list and order");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE, -62_135_596_800_000_001L})
  void cursor_with_a_timestamp_out_of_range_is_refused(long micros) {
    assertThatThrownBy(() -> Cursor.readMoment(Cursor.below(micros)))
        .isInstanceOf(RequestException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000-12-31T23:59:59Z",
        "+10000-01-01T00:00:00Z",
        "9999-12-31T23:00:00-02:00",
        "+999999999-12-31T23:59:59-18:00"
      })
  void timestamp_out_of_range_is_refused(String moment) {
    assertThatThrownBy(() -> Parameters.moment("from", moment))
        .hasMessageContaining("in the years 1 to 9999");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "abc", "-1", "1.0", "99999999999999999999", "9223372036854775808", "٣"})
  void malformed_id_is_reported_as_not_found(String id) {
    assertThatThrownBy(() -> Parameters.id(id)).hasMessageContaining("does not exist");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "201", "-1", "x", "", "99999999999"})
  void limit_out_of_range_is_refused(String limit) {
    assertThatThrownBy(() -> Parameters.limit(limit)).hasMessageContaining("specify 1 to 200");
  }

  @ParameterizedTest
  @ValueSource(strings = {"21", "-1", "x", "", "99999999999"})
  void number_out_of_range_is_refused(String runs) {
    assertThat(Parameters.number("runs", "20", 0, 20)).isEqualTo(20);
    assertThatThrownBy(() -> Parameters.number("runs", runs, 0, 20))
        .hasMessage("runs is '" + runs + "'; specify 0 to 20");
  }

  @Test
  void limit_has_a_default() {
    assertThat(Parameters.limit(null)).isEqualTo(50);
    assertThat(Parameters.limit("200")).isEqualTo(200);
  }

  @Test
  void unknown_state_is_refused_with_a_list_of_known_states() {
    assertThat(Parameters.state("RUNNING", Parameters.allStates())).isEqualTo(JobState.RUNNING);
    assertThatThrownBy(() -> Parameters.state("running", Parameters.allStates()))
        .hasMessageContaining("SCHEDULED, BLOCKED, AVAILABLE");
  }

  @Test
  void unknown_order_is_refused_with_the_known_orders() {
    assertThat(Parameters.order(null)).isEqualTo(SearchOrder.NEWEST);
    assertThat(Parameters.order("OLDEST")).isEqualTo(SearchOrder.OLDEST);
    assertThatThrownBy(() -> Parameters.order("priority"))
        .hasMessage("order is 'priority'; specify NEWEST or OLDEST, the orders that have an index");
  }
}
