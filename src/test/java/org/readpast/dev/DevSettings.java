package org.readpast.dev;

import java.nio.file.Path;
import java.util.Optional;
import org.readpast.support.Database;

/**
 * What the developer chose on the command line.
 *
 * @param database an existing database in place of the embedded one
 */
record DevSettings(int httpPort, int databasePort, Path data, Optional<Database> database) {
  static final String HTTP_PORT = "readpast.http.port";
  static final String DATABASE_PORT = "readpast.db.port";
  static final String JDBC_URL = "readpast.jdbc.url";

  static DevSettings fromSystemProperties() {
    return new DevSettings(
        port(HTTP_PORT, 9080),
        port(DATABASE_PORT, 5433),
        Path.of("data").toAbsolutePath(),
        Optional.ofNullable(System.getProperty(JDBC_URL))
            .map(
                url ->
                    new Database(
                        url,
                        System.getProperty("readpast.jdbc.user", "readpast"),
                        System.getProperty("readpast.jdbc.password", ""))));
  }

  private static int port(String option, int usual) {
    var text = System.getProperty(option, Integer.toString(usual));
    try {
      int port = Integer.parseInt(text);
      if (port > 0 && port < 65536) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of range.
    }
    throw new DevException("-D" + option + "=" + text + " is not a port (1 to 65535)");
  }
}
