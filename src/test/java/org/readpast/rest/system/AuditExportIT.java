package org.readpast.rest.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.admin.Audit;
import org.readpast.admin.store.AuditLog.Filter;
import org.readpast.rest.http.Cursor;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/**
 * Tests that a truncated export says that it is truncated, and contains the cursor at which to
 * continue.
 */
class AuditExportIT {
  private static final int MOST = 2_000;

  private final Database database = TestDatabase.withTables();
  private final LocalTransactions transactions = new LocalTransactions(database);
  private final Audit audit = new Audit(transactions, () -> "nobody");

  @AfterEach
  void close() {
    transactions.close();
  }

  private void entries(int count) {
    database.execute(
        "insert into readpast_audit (who, action, target, detail) select 'w', 'a.b', i, '{}' from"
            + " generate_series(1, "
            + count
            + ") i");
  }

  private String exported(Long before, AuditExport.Format format) throws IOException {
    var out = new ByteArrayOutputStream();
    new AuditExport(audit, Filter.ALL, before, format, MOST).write(out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void truncated_file_has_a_notice_and_the_cursor_of_the_rest() throws IOException {
    entries(MOST + 2);
    String csv = exported(null, AuditExport.Format.CSV);
    assertThat(csv.lines()).hasSize(MOST + 2);
    assertThat(csv)
        .endsWith(",\"older entries match, too; request them with cursor=" + rest() + "\"\r\n");
    assertThat(exported(null, AuditExport.Format.JSON)).endsWith("],\"next\":\"" + rest() + "\"}");
    assertThat(exported(Cursor.read(rest()), AuditExport.Format.CSV).lines()).hasSize(3);
  }

  private static String rest() {
    return Cursor.below(3);
  }

  @Test
  void complete_file_mentions_no_continuation() throws IOException {
    entries(MOST);
    assertThat(exported(null, AuditExport.Format.JSON)).endsWith("}]}");
    assertThat(exported(null, AuditExport.Format.CSV).lines()).hasSize(MOST + 1);
  }

  @Test
  void empty_result_is_an_empty_file() throws IOException {
    assertThat(exported(null, AuditExport.Format.JSON)).isEqualTo("{\"entries\":[]}");
    assertThat(exported(null, AuditExport.Format.CSV).lines()).hasSize(1);
  }
}
