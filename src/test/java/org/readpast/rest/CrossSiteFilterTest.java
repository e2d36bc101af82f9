package org.readpast.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CrossSiteFilterTest {
  @Test
  void browser_that_says_whose_page_asks_is_believed() {
    assertThat(CrossSiteFilter.foreign("same-origin", "https://queue.example", "inside:9080"))
        .isFalse();
    assertThat(CrossSiteFilter.foreign("none", null, "localhost:9080")).isFalse();
    assertThat(CrossSiteFilter.foreign("same-site", "http://localhost:9080", "localhost:9080"))
        .isTrue();
    assertThat(CrossSiteFilter.foreign("cross-site", null, "localhost:9080")).isTrue();
  }

  @Test
  void of_others_the_page_has_to_be_of_the_host_that_is_asked() {
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
