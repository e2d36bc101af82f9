package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.store.NodeView;

/** Tests the list of nodes while servers restart under the same names and under new ones. */
class ShownNodesIT {
  private final Operator operator = new Operator();

  @AfterEach
  void leave() {
    operator.close();
  }

  private void node(String name, String state, String endedAgo) {
    operator.database.execute(
        """
        insert into readpast_node (id, name, version, lease_ms, queues, types, state, ended_at)
        values (gen_random_uuid(), '%s', '1', 10000, '{}', '{}', '%s', now() - cast('%s' as interval))"""
            .formatted(name, state, endedAgo));
  }

  private List<String> shown(boolean all) {
    return operator.browser.nodes(all).stream().map(NodeView::name).toList();
  }

  @Test
  void restarted_and_long_stopped_nodes_are_listed_only_on_request() {
    node("old", "STOPPED", "25 hours");
    node("crashed", "DEAD", "3 hours");
    node("crashed", "DEAD", "2 hours");
    node("restarted", "DEAD", "1 hour");
    node("restarted", "ACTIVE", "0 s");
    node("gone", "STOPPED", "23 hours");
    operator.database.execute("update readpast_node set ended_at = null where state = 'ACTIVE'");

    assertThat(shown(false)).containsExactly("gone", "restarted", "crashed");
    assertThat(shown(true))
        .containsExactly("gone", "restarted", "restarted", "crashed", "crashed", "old");
  }
}
