package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerSupportTest {
  private static Properties with(String key, String value) {
    Properties properties = new Properties();
    properties.setProperty(key, value);
    return properties;
  }

  @ParameterizedTest
  @CsvSource({
    "wlp.install.dir, /opt/wlp/",
    "glassfish.version, Payara Server 6.2025.10 (build 42)",
    "glassfish.version, Payara Micro 6.2025.10",
  })
  void supported_server_is_accepted(String key, String value) {
    assertThat(ServerSupport.refusal(with(key, value), name -> true)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "glassfish.version, Eclipse GlassFish  7.0.18  (commit: 1), Eclipse GlassFish  7.0.18  (commit: 1)",
    "jboss.home.dir, /opt/wildfly, WildFly",
    "catalina.home, /opt/tomee, TomEE",
    "user.dir, /, another server",
  })
  void unsupported_server_is_refused_by_name(String key, String value, String name) {
    assertThat(ServerSupport.refusal(with(key, value), api -> true))
        .contains("Open Liberty", "Payara Server 6", name, "lose their effects");
    assertThat(ServerSupport.refusal(with(key, value), api -> api.contains(".config.")))
        .contains(name, "lacks MicroProfile Fault Tolerance")
        .doesNotContain("MicroProfile Config", "mpFault");
  }

  @Test
  void missing_feature_of_liberty_is_named() throws IOException {
    String refusal = ServerSupport.refusal(with("wlp.install.dir", "/opt/wlp/"), api -> false);
    assertThat(refusal).contains("server-config/liberty/server.xml");
    List<String> features =
        Pattern.compile("mp\\w+-[0-9.]+")
            .matcher(refusal)
            .results()
            .map(feature -> "<feature>" + feature.group() + "</feature>")
            .toList();
    assertThat(features).hasSize(2);
    assertThat(Files.readString(Path.of("server-config/liberty/server.xml"))).contains(features);
  }

  @Test
  void required_apis_match_the_server() {
    assertThat(ServerSupport.exists("org.eclipse.microprofile.faulttolerance.Retry")).isTrue();
    assertThat(ServerSupport.exists("org.eclipse.microprofile.faulttolerance.Nothing")).isFalse();
  }
}
