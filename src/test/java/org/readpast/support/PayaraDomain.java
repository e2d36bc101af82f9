package org.readpast.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Creates a copy of the domain that Payara ships, with free ports and loopback addresses. */
final class PayaraDomain {
  static final String NAME = "readpast";

  private final Path parent;
  private final ServerSpec spec;
  private final Map<String, Integer> ports = new TreeMap<>();

  PayaraDomain(Path parent, ServerSpec spec) {
    this.parent = parent;
    this.spec = spec;
    for (var shipped : new String[] {"8181", "4848", "3700", "3820", "3920", "8686"}) {
      ports.put(shipped, Ports.free());
    }
    ports.put("8080", spec.httpPort());
    if (spec.production()) {
      ports.put("8181", Integer.parseInt(spec.environment().get(ServerProcess.HTTPS_PORT)));
    }
    ports.put("6666", Ports.free());
  }

  /** Creates the domain when it is first started. Returns false if the domain existed already. */
  boolean createIfAbsent() {
    if (Files.exists(marker())) {
      return false;
    }
    try {
      DirectoryTree.delete(directory());
      DirectoryTree.copy(
          BuildDirectories.servers().resolve("payara6/glassfish/domains/domain1"), directory());
      var file = config().resolve("domain.xml");
      Files.writeString(file, adapt(Files.readString(file)));
      if (spec.production()) {
        importCertificate();
      }
      Files.createFile(marker());
      marker().toFile().deleteOnExit();
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Imports the certificate as production.asadmin describes. */
  private void importCertificate() {
    Certificate.keytool(
        "-importkeystore -srcalias " + Certificate.ALIAS + " -destalias readpast -noprompt",
        "-srckeystore",
        spec.environment().get(ServerProcess.KEY_STORE_FILE),
        "-srcstorepass",
        Certificate.PASSWORD,
        "-destkeystore",
        config().resolve("keystore.p12").toString(),
        "-deststorepass",
        "changeit",
        "-destkeypass",
        "changeit");
  }

  Path directory() {
    return parent.resolve(NAME);
  }

  Path config() {
    return directory().resolve("config");
  }

  int jmxPort() {
    return ports.get("8686");
  }

  int adminPort() {
    return ports.get("4848");
  }

  private Path marker() {
    return directory().resolve("prepared-by-" + ProcessHandle.current().pid() + "-" + hashCode());
  }

  private String adapt(String xml) {
    for (var port : ports.entrySet()) {
      xml = xml.replace("port=\"" + port.getKey() + "\"", "port=\"" + port.getValue() + "\"");
    }
    xml = xml.replace("telnet.port=6666", "telnet.port=" + ports.get("6666"));
    xml = xml.replace("address=\"0.0.0.0\"", "address=\"127.0.0.1\"");
    xml = xml.replace("<network-listener port=", "<network-listener address=\"127.0.0.1\" port=");
    // The following setting is the one in compression.asadmin. If the setting is changed while the
    // domain runs, the listener may not restart.
    xml =
        xml.replaceFirst(
            "<http default-virtual-server=\"server\" max-connections=\"250\">",
            """
            <http default-virtual-server="server" max-connections="250" compression="on" \
            compressable-mime-type="text/html,text/css,text/javascript,application/javascript,\
            application/json,image/svg+xml">""");
    // With Hazelcast enabled, the domain would search the network for other servers, and share
    // state with them.
    xml =
        xml.replace(
            "<hazelcast-config-specific-configuration>",
            "<hazelcast-config-specific-configuration enabled=\"false\">");
    // The server's own database for persistent timers is made unusable, because the tests do not
    // need it.
    xml = xml.replace("/lib/databases/ejbtimer;", "/lib/databases/absent;IFEXISTS=TRUE;");
    // Without a JMS service element, which the original domain lacks, the message broker uses its
    // default port.
    xml =
        xml.replaceFirst(
            "<transaction-service ",
            """
            <jms-service type="EMBEDDED" default-jms-host="default_JMS_host">
              <jms-host name="default_JMS_host" host="localhost" port="%d" lazy-init="true"/>
            </jms-service>
            <transaction-service\s"""
                .formatted(Ports.free()));
    var options = new StringBuilder();
    ServerProcess.jvmOptions(spec)
        .forEach(option -> options.append("<jvm-options>%s</jvm-options>".formatted(option)));
    spec.properties()
        .forEach(
            (key, value) ->
                options.append("<jvm-options>-D%s=%s</jvm-options>".formatted(key, escape(value))));
    return xml.replace(
        "<jvm-options>-server</jvm-options>", "<jvm-options>-server</jvm-options>" + options);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
