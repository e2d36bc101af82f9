package org.readpast.rest.jobs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.readpast.model.JobSearch;
import org.readpast.model.MaskedFields;
import org.readpast.model.QueueAccess;
import org.readpast.model.Role;
import org.readpast.rest.http.RequestException;

class MaskingTest {
  @Test
  void masked_fields_are_searched_only_by_operators_of_all_named_queues() {
    Masking masking = new Masking();
    masking.fields = MaskedFields.parse("secret");
    QueueAccess caller =
        new QueueAccess(
            Role.NONE, Map.of("a", Role.OPERATOR, "b", Role.OPERATOR, "c", Role.VIEWER));
    masking.check(JobSearch.parse("payload.secret:1 queue:a"), caller);
    masking.check(JobSearch.parse("payload.secret:1 queue:a,b"), caller);
    for (String queues : new String[] {"queue:c", "queue:a,c", "queue:c,a", ""}) {
      assertThatThrownBy(() -> masking.check(JobSearch.parse("payload.secret:1 " + queues), caller))
          .as(queues)
          .isInstanceOf(RequestException.class)
          .hasMessageContaining("only operators may search it");
    }
  }

  @Test
  void refusal_does_not_reveal_that_a_queue_is_restricted() {
    Masking masking = new Masking();
    masking.fields = MaskedFields.parse("secret");
    QueueAccess caller = new QueueAccess(Role.OPERATOR, Map.of("hidden", Role.NONE));
    for (String queue : new String[] {"missing", "hidden", "missing,hidden"}) {
      masking.check(JobSearch.parse("payload.secret:1 queue:" + queue), caller);
    }
  }
}
