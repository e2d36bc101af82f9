package org.readpast.dev;

import java.nio.file.Path;
import java.util.Optional;
import org.readpast.support.Database;

/**
 * Holds the settings that the developer has given on the command line.
 *
 * @param database an existing database, to be used instead of the embedded one
 * @param demo true to deploy the demo
 */
record DevSettings(
    int httpPort, int databasePort, Path data, Optional<Database> database, boolean demo) {
  static final String HTTP_PORT = "readpast.http.port";
  static final String DATABASE_PORT = "readpast.db.port";
  static final String JDBC_URL = "readpast.jdbc.url";
  static final String DEMO = "readpast.demo";

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
                        System.getProperty("readpast.jdbc.password", ""))),
        wanted());
  }

  private static boolean wanted() {
    var text = System.getProperty(DEMO, "true");
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new DevException("-D" + DEMO + "=" + text + " is neither true nor false");
    };
  }

  private static int port(String option, int usual) {
    var text = System.getProperty(option, Integer.toString(usual));
    try {
      int port = Integer.parseInt(text);
      if (port > 0 && port < 65536) {
        return port;
      }
    } catch (NumberFormatException e) {
      // A string that is not a number is reported below, like a number out of range.
    }
    throw new DevException("-D" + option + "=" + text + " is not a port (1 to 65535)");
  }
}
