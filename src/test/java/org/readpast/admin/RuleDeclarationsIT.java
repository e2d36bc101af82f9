package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.count;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.api.StateConflictException;
import org.readpast.model.Owner;
import org.readpast.model.Rule;
import org.readpast.schedule.ScheduleDeclarations;
import org.readpast.support.Await;
import org.readpast.support.IgnoredSignals;
import org.readpast.support.LogLines;
import org.readpast.support.TestNode;

/** Tests which definition of a rule applies if the configurations of nodes declare it. */
class RuleDeclarationsIT {
  private static final Duration SOON = Duration.ofSeconds(25);
  private static final Owner SHOP = new Owner("shop", "shop");
  private static final Owner BANK = new Owner("bank", "web");

  private final Operator operator = new Operator();
  private final List<TestNode> nodes = new ArrayList<>();
  private final RuleControl rules =
      new RuleControl(
          operator.transactions,
          new SqlAccess(
              new SqlAccess.Allowed(
                  List.of(), "jdbc/queue", Duration.ofSeconds(2), false, Map.of()),
              name -> null),
          operator.intake,
          new IgnoredSignals(),
          operator.audit);

  @AfterEach
  void close() {
    nodes.forEach(TestNode::close);
    operator.close();
  }

  private TestNode start(Owner owner, String host, Rule... declared) {
    TestNode node = new TestNode(operator.database);
    nodes.add(node);
    return node.owned(owner, owner.name() + "@" + host).declares(declared).start();
  }

  private static Rule rule(String search, @Nullable String schedule) {
    return rule(search, schedule, true);
  }

  private static Rule rule(String search, @Nullable String schedule, boolean enabled) {
    return new Rule("things", search, null, "known", "q", 4, null, schedule, enabled);
  }

  /** Makes a node notice immediately what it would otherwise notice only after up to 15 seconds. */
  private static void follow(TestNode node) {
    node.engine().signals().schedulesChanged();
  }

  private String search() {
    return rules.get("things").rule().search();
  }

  private List<String> schedules() {
    return column(operator.database, "select name from readpast_schedule");
  }

  private void minutesPass(int minutes) {
    operator.database.execute(
        "update readpast_node set ended_at = ended_at - interval '%d minutes'".formatted(minutes));
  }

  @Test
  void rule_that_the_configuration_no_longer_declares_does_not_run_and_is_deleted() {
    TestNode before = start(SHOP, "old", rule("select 1 as id", "PT1S"));
    Await.until(
        SOON,
        "a run",
        () -> count(operator.database, "select count(*) from readpast_schedule_run") > 0);
    before.engine().stop();
    operator.database.execute("delete from readpast_schedule_run");
    TestNode next = start(SHOP, "new");
    follow(next);

    assertThat(rules.get("things").declared()).isFalse();
    assertThat(operator.schedules.get("rule.things").fires()).isFalse();
    minutesPass(9);
    start(BANK, "host");
    assertThat(rules.all()).hasSize(1);
    assertThat(count(operator.database, "select count(*) from readpast_schedule_run")).isZero();

    minutesPass(2);
    follow(next);

    Await.until(SOON, "its deletion", () -> rules.all().isEmpty());
    assertThat(schedules()).isEmpty();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = "@daily")
  void node_with_an_older_configuration_does_not_restore_its_search(@Nullable String schedule) {
    Rule older = rule("select 1 as id", schedule);
    Rule newer = rule("select 2 as id", schedule);
    TestNode old = start(SHOP, "old", older);
    TestNode newest = start(SHOP, "new", newer);
    assertThat(search()).isEqualTo(newer.search());
    old.engine().stop();

    TestNode restarted = start(SHOP, "old", older);

    follow(restarted);
    assertThat(search()).isEqualTo(newer.search());
    newest.engine().stop();
    follow(restarted);
    Await.until(SOON, "the older rule", () -> search().equals(older.search()));
  }

  @Test
  void schedule_that_a_newer_configuration_omits_is_deleted() {
    start(SHOP, "old", rule("select 1 as id", "@daily"));
    assertThat(schedules()).containsExactly("rule.things");

    start(SHOP, "new", rule("select 1 as id", null));

    assertThat(schedules()).isEmpty();
  }

  @Test
  void rule_of_the_configuration_can_be_changed_only_while_no_live_node_declares_it() {
    Rule declared = rule("select 1 as id", "@daily");
    Rule changed = rule("select 2 as id", null, false);
    TestNode node = start(SHOP, "host", declared);
    assertThat(rules.get("things").declared()).isTrue();
    assertThatThrownBy(() -> rules.put(changed)).isInstanceOf(StateConflictException.class);
    assertThatThrownBy(() -> rules.change("things", rule -> changed))
        .isInstanceOf(StateConflictException.class);
    assertThatThrownBy(() -> rules.delete("things")).isInstanceOf(StateConflictException.class);

    node.engine().stop();
    rules.put(changed);
    assertThat(rules.get("things").rule()).isEqualTo(changed);
    assertThat(schedules()).isEmpty();

    start(SHOP, "host", declared);
    assertThat(rules.get("things").rule()).isEqualTo(declared);
    assertThat(schedules()).containsExactly("rule.things");
  }

  @Test
  void different_declarations_of_one_rule_cause_a_warning() {
    try (LogLines log = new LogLines(ScheduleDeclarations.class.getName())) {
      start(SHOP, "host", rule("select 1 as id", null));
      start(BANK, "one", rule("select 1 as id", null)).engine().stop();
      assertThat(log.from(Level.WARNING)).isEmpty();

      start(BANK, "two", rule("select 1 as id", "@daily"));

      assertThat(log.from(Level.WARNING))
          .singleElement()
          .asString()
          .contains("READPAST-0059 rule 'things' is declared differently by application 'shop'");
    }
  }
}
