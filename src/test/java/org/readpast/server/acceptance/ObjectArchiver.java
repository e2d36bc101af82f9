package org.readpast.server.acceptance;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.readpast.api.Handles;
import org.readpast.api.JobType;

/**
 * Archives objects in the server under test. The table has no constraint, so that an object that is
 * archived twice is detected.
 */
@ApplicationScoped
public class ObjectArchiver {
  @JobType(value = "object.archive", queue = "archive")
  public record ArchiveObject(long objectId) {}

  @Resource(lookup = "jdbc/readpast")
  DataSource dataSource;

  @Handles
  public void archive(ArchiveObject job) throws SQLException, InterruptedException {
    try (var connection = dataSource.getConnection();
        var archive =
            connection.prepareStatement(
                "insert into archived select id, md5(content) from object where id = ?");
        var delete = connection.prepareStatement("delete from object where id = ?")) {
      archive.setLong(1, job.objectId());
      delete.setLong(1, job.objectId());
      if (archive.executeUpdate() + delete.executeUpdate() != 2) {
        throw new IllegalStateException("object " + job.objectId() + " has been archived before");
      }
    }
    TimeUnit.MILLISECONDS.sleep(5);
  }
}
