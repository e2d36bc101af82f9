package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobState;

class EventFilterTest {
  @Test
  void observer_of_a_type_receives_all_its_versions() {
    EventFilter mail = new EventFilter(Set.of(), Set.of("mail.send"), Set.of());

    assertThat(mail.includes(JobState.COMPLETED, "q", "mail.send")).isTrue();
    assertThat(mail.includes(JobState.COMPLETED, "q", "mail.send@3")).isTrue();
    assertThat(mail.includes(JobState.COMPLETED, "q", "mail.sent@3")).isFalse();
  }
}
