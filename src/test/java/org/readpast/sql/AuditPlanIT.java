package org.readpast.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.admin.sql.AuditSql;
import org.readpast.retention.RetentionSql;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/** Tests that the cost of a page of the audit log does not depend on the size of the log. */
class AuditPlanIT {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "newest | null, null, null, null, null, 50, '{}', true",
        "later page | 10000, null, null, null, null, 50, '{}', true",
        "until | null, null, now() - interval '10 hours', null, null, 50, '{}', true",
        "target | null, null, null, null, null, 50, '{}', true, 't7'",
        "actor | null, null, null, 'w7', null, 50, '{}', true, 'w7'",
        "action | null, null, null, null, 'a7.b', 50, '{}', true, 'a7.b'",
        "hidden queue | null, null, null, null, null, 50, '{payroll}', true",
        "removed | 100",
      })
  void only_the_shown_rows_are_read(String name, String parameters) throws SQLException {
    Database database = TestDatabase.withTables();
    database.execute(
        """
        insert into readpast_audit (at, who, action, target, detail, queues)
        select now() - (60000 - i) * interval '1 minute', 'w' || i % 1000, 'a' || i % 1000 || '.b', 't' || i % 1000, '{}', array['q' || i % 10]
        from generate_series(1, 60000) i;
        insert into readpast_node (id, name, version, lease_ms, audit_kept_ms, queues, types)
        select gen_random_uuid(), 'n' || i, '1', 10000, i * cast(30000000 as bigint), '{}', '{}' from generate_series(1, 300) i;
        analyze readpast_audit, readpast_node""");
    try (GenericPlans plans = new GenericPlans(database)) {
      plans.prepare(
          "it",
          switch (name) {
            case "target" -> AuditSql.pageOfTarget();
            case "actor" -> AuditSql.pageOfWho();
            case "action" -> AuditSql.pageOfAction();
            case "removed" -> RetentionSql.pruneAudit();
            default -> AuditSql.page();
          });
      plans.of("it", parameters);
      String plan = plans.of("it", parameters);
      assertThat(GenericPlans.buffers(plan)).as(plan).isLessThan(100);
    }
  }
}
