package org.readpast.rest.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CrossSiteFilterTest {
  @Test
  void fetch_metadata_of_the_browser_decides() {
    assertThat(CrossSiteFilter.foreign("same-origin", "https://queue.example", "inside:9080"))
        .isFalse();
    assertThat(CrossSiteFilter.foreign("none", null, "localhost:9080")).isFalse();
    assertThat(CrossSiteFilter.foreign("same-site", "http://localhost:9080", "localhost:9080"))
        .isTrue();
    assertThat(CrossSiteFilter.foreign("cross-site", null, "localhost:9080")).isTrue();
  }

  @Test
  void origin_must_match_the_host_if_there_is_no_fetch_metadata() {
    assertThat(CrossSiteFilter.foreign(null, null, "localhost:9080")).isFalse();
    assertThat(CrossSiteFilter.foreign(null, "http://LOCALHOST:9080", "localhost:9080")).isFalse();
    for (String origin :
        new String[] {
          "null",
          "",
          "http://localhost",
          "http://evil.example",
          "http://localhost:9080.evil.example"
        }) {
      assertThat(CrossSiteFilter.foreign(null, origin, "localhost:9080")).as(origin).isTrue();
    }
    assertThat(CrossSiteFilter.foreign(null, "http://localhost:9080", null)).isTrue();
  }
}
