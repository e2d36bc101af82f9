package org.readpast.rest.system;

import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Audit;
import org.readpast.admin.store.AuditLog;
import org.readpast.rest.http.Cursor;

/** Writes all matching audit entries in pieces, each read in a short transaction. */
final class AuditExport implements StreamingOutput {
  static final int MOST = 100_000;
  private static final int AT_ONCE = 1_000;

  /** Lists the file formats of the export. */
  enum Format {
    CSV("text/csv;charset=UTF-8"),
    JSON("application/json");

    private final String mediaType;

    Format(String mediaType) {
      this.mediaType = mediaType;
    }
  }

  private final Audit audit;
  private final AuditLog.Filter filter;
  private final Format format;
  private final int most;
  private List<AuditLog.Entry> page;
  private int written;

  /**
   * Reads the first entries now, because a later failure can no longer be reported with an error
   * status.
   */
  AuditExport(Audit audit, AuditLog.Filter filter, @Nullable Long before, Format format, int most) {
    this.audit = audit;
    this.filter = filter;
    this.format = format;
    this.most = most;
    this.page = audit.page(filter, before, AT_ONCE);
  }

  Response response() {
    String name = "readpast-audit." + format.name().toLowerCase(java.util.Locale.ROOT);
    return Response.ok(this, format.mediaType)
        .header("Content-Disposition", "attachment; filename=\"" + name + "\"")
        .build();
  }

  @Override
  public void write(OutputStream output) throws IOException {
    Writer out = new BufferedWriter(new OutputStreamWriter(output, StandardCharsets.UTF_8));
    out.write(
        format == Format.CSV
            ? Csv.line("id", "at", "who", "action", "target", "detail")
            : "{\"entries\":[");
    String next = "";
    while (!page.isEmpty() && written < most) {
      for (AuditLog.Entry entry : page) {
        write(entry, out);
      }
      long last = page.get(page.size() - 1).id();
      page = page.size() < AT_ONCE ? List.of() : audit.page(filter, last, AT_ONCE);
      next = page.isEmpty() ? "" : Cursor.below(last);
    }
    out.write(end(next));
    out.flush();
  }

  /**
   * Returns the end of the export. If there are more entries, it contains the cursor of the next
   * one, so that no reader takes the export for complete.
   */
  private String end(String next) {
    if (format == Format.JSON) {
      return next.isEmpty() ? "]}" : "],\"next\":\"" + next + "\"}";
    }
    return next.isEmpty()
        ? ""
        : Csv.line(
            "", "", "", "", "", "older entries match, too; request them with cursor=" + next);
  }

  private void write(AuditLog.Entry entry, Writer out) throws IOException {
    if (format == Format.CSV) {
      out.write(AuditAnswer.csv(entry));
    } else {
      out.write((written == 0 ? "" : ",") + AuditAnswer.json(entry));
    }
    written++;
  }
}
