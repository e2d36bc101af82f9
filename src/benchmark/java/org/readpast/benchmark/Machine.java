package org.readpast.benchmark;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.Reader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;

/**
 * Describes the machine and the software of a run, without which the figures are hard to interpret.
 */
record Machine(
    String processor, int cores, String memory, String jdk, String postgresql, String server) {

  static Machine here(Database database) throws IOException, SQLException {
    return new Machine(
        processorName(),
        Runtime.getRuntime().availableProcessors(),
        memorySize(),
        System.getProperty("java.vm.name") + " " + Runtime.version(),
        versionOf(database),
        serverVersion());
  }

  /** Returns the lines for readers, with their labels. */
  Map<String, String> lines() {
    var lines = new LinkedHashMap<String, String>();
    lines.put("processor", processor);
    lines.put("cores", Integer.toString(cores));
    lines.put("memory", memory);
    lines.put("JDK", jdk);
    lines.put("PostgreSQL", postgresql);
    lines.put("server", server);
    return lines;
  }

  /** Returns the machine in one line, without the versions of the software. */
  String brief() {
    return processor + ", " + cores + (cores == 1 ? " core, " : " cores, ") + memory;
  }

  private static String processorName() throws IOException {
    Path linux = Path.of("/proc/cpuinfo");
    if (Files.isReadable(linux)) {
      try (var lines = Files.lines(linux, UTF_8)) {
        var model = lines.filter(line -> line.startsWith("model name")).findFirst();
        if (model.isPresent()) {
          return model.get().substring(model.get().indexOf(':') + 1).strip();
        }
      }
    }
    // Other systems, and Linux on ARM, do not provide the model in /proc/cpuinfo.
    return System.getenv().getOrDefault("PROCESSOR_IDENTIFIER", System.getProperty("os.arch"));
  }

  private static String memorySize() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return String.format(Locale.ROOT, "%.0f GiB", system.getTotalMemorySize() / 0x1p30);
  }

  private static String versionOf(Database database) throws SQLException {
    try (var connection = database.connect()) {
      return connection.getMetaData().getDatabaseProductVersion();
    }
  }

  private static String serverVersion() throws IOException {
    Path file = BuildDirectories.servers().resolve("wlp/lib/versions/openliberty.properties");
    var properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, UTF_8)) {
      properties.load(reader);
    }
    return "Open Liberty " + properties.getProperty("com.ibm.websphere.productVersion");
  }
}
