package org.readpast.rest.signin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentLoginsTest {
  private final RecentLogins recent = new RecentLogins();

  @Test
  void only_the_last_correct_password_is_known() {
    assertThat(recent.knows("admin", "a".toCharArray())).isFalse();
    recent.keep("admin", "a".toCharArray());
    assertThat(recent.knows("admin", "a".toCharArray())).isTrue();
    assertThat(recent.knows("admin", "b".toCharArray())).isFalse();
    assertThat(recent.knows("other", "a".toCharArray())).isFalse();
    recent.keep("admin", "b".toCharArray());
    assertThat(recent.knows("admin", "a".toCharArray())).isFalse();
  }
}
