package org.readpast.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class JobRequestTest {
  @JobType("mail.send")
  private record Mail(String to) {}

  @Test
  void text_of_a_request_contains_all_settings_except_the_payload() {
    JobRequest bare = JobRequest.of(new Mail("ada@example.org"));
    JobRequest full =
        JobRequest.of("image.scale", "image/png", "secret")
            .queue("images")
            .priority(7)
            .delay(Duration.ofMinutes(5))
            .uniqueKey("k")
            .property("customer", "42")
            .group("g", GroupFailure.HOLD)
            .batch("year-end", 0)
            .after(1, 2);
    assertThat(bare).hasToString("JobRequest{type=" + Mail.class.getName() + "}");
    assertThat(full)
        .hasToString(
            "JobRequest{type=image.scale, contentType=image/png, queue=images, priority=7,"
                + " delay=PT5M, uniqueKey=k, properties={customer=42}, group=g, groupFailure=HOLD,"
                + " batch=year-end, wave=0, after=[1, 2]}");
  }
}
