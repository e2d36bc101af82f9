package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.admin.Reports;
import org.readpast.admin.RuleControl;

class QueueRolesTest {
  private static final QueueRoles ROLES =
      new QueueRoles(
          Map.of(
              "payroll",
              Map.of(
                  Role.VIEWER, Set.of("hr"),
                  Role.OPERATOR, Set.of("hr-lead"),
                  Role.ADMIN, Set.of("hr-chief")),
              "mail",
              Map.of(Role.OPERATOR, Set.of("post", "readpast-operator"))));

  /**
   * The expected roles are those in the queue payroll, in the queue mail, and in an unrestricted
   * queue.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "readpast-viewer | NONE | NONE | VIEWER",
        "readpast-operator | NONE | OPERATOR | OPERATOR",
        "readpast-admin | ADMIN | ADMIN | ADMIN",
        "hr | VIEWER | NONE | NONE",
        "hr-lead | OPERATOR | NONE | NONE",
        "hr-chief | ADMIN | NONE | NONE",
        "hr,hr-chief | ADMIN | NONE | NONE",
        "hr,post | VIEWER | OPERATOR | NONE",
        "readpast-viewer,hr-lead | OPERATOR | NONE | VIEWER",
        "readpast-operator,hr | VIEWER | OPERATOR | OPERATOR",
        "unknown | NONE | NONE | NONE",
      })
  void names_of_roles_determine_the_role_in_each_queue(
      String names, Role payroll, Role mail, Role other) {
    QueueAccess access = ROLES.access(List.of(names.split(",")));
    for (Role role : List.of(Role.VIEWER, Role.OPERATOR, Role.ADMIN)) {
      assertThat(access.has(role, "payroll"))
          .as("payroll " + role)
          .isEqualTo(payroll.includes(role));
      assertThat(access.has(role, "mail")).as("mail " + role).isEqualTo(mail.includes(role));
      assertThat(access.has(role, "other")).as("other " + role).isEqualTo(other.includes(role));
      for (String queue : List.of("payroll", "mail", "other")) {
        assertThat(access.scope(role).contains(queue))
            .as(queue + " " + role)
            .isEqualTo(access.has(role, queue));
      }
    }
  }

  @Test
  void internal_queues_are_restricted_if_any_queue_is_restricted() {
    QueueAccess viewer = ROLES.access(List.of("readpast-viewer"));
    assertThat(viewer.has(Role.VIEWER, Reports.WEBHOOK)).isFalse();
    assertThat(viewer.has(Role.VIEWER, RuleControl.QUEUE)).isFalse();
    assertThat(QueueRoles.NONE.access(List.of("readpast-viewer")).seen().isAll()).isTrue();
  }

  @Test
  void general_administrator_has_all_access() {
    assertThat(ROLES.access(List.of("readpast-admin"))).isEqualTo(QueueAccess.EVERYTHING);
    assertThat(QueueAccess.EVERYTHING.scope(Role.ADMIN).isAll()).isTrue();
  }

  @Test
  void general_roles_and_roles_of_queues_are_declared() {
    assertThat(ROLES.names())
        .containsExactlyInAnyOrder(
            "readpast-viewer",
            "readpast-operator",
            "readpast-admin",
            "hr",
            "hr-lead",
            "hr-chief",
            "post");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true | a | true | a | true",
        "true | a | true | '' | false",
        "true | '' | true | a | true",
        "true | a | false | b | true",
        "true | a | false | a,b | false",
        "false | a | true | b | false",
        "false | a,b | false | a | true",
        "false | a | false | a,b | false",
        "false | '' | false | '' | true",
      })
  void scope_covers_another_if_it_has_each_of_its_queues(
      boolean others, String named, boolean otherOthers, String otherNamed, boolean covers) {
    assertThat(scope(others, named).covers(scope(otherOthers, otherNamed))).isEqualTo(covers);
  }

  private static QueueScope scope(boolean others, String named) {
    return new QueueScope(others, named.isEmpty() ? Set.of() : Set.of(named.split(",")));
  }
}
