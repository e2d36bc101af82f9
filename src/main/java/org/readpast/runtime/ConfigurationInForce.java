package org.readpast.runtime;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.ConfigValue;
import org.readpast.admin.About;

/** What the configuration says, and where; secrets are not read out. */
final class ConfigurationInForce {
  private static final Pattern SECRET =
      Pattern.compile("password|secret|hash|token|credential", Pattern.CASE_INSENSITIVE);
  private static final Pattern SECRET_IN_VALUE =
      Pattern.compile("(?:password|secret|token)\\s*[=:]|://[^/@\\s]*@", Pattern.CASE_INSENSITIVE);
  // There may be a secret in its path.
  private static final String WEBHOOK = "readpast.webhook.url";
  private static final Pattern NAMED =
      Pattern.compile(
          "readpast\\.(?:queue|type|schedule|rule|user|sql\\.statement|oidc\\.role|users\\.container\\.role)\\..+");

  /** The keys that have no name in them, and what holds where nothing is said; empty: nothing. */
  static final Map<String, String> DEFAULTS = new LinkedHashMap<>();

  static {
    DEFAULTS.put("readpast.datasource", "jdbc/readpast");
    DEFAULTS.put("readpast.datasource.system", "");
    DEFAULTS.put("readpast.schema.auto", "apply");
    DEFAULTS.put("readpast.node.name", "<application>@<host>");
    DEFAULTS.put("readpast.worker.enabled", "true");
    DEFAULTS.put("readpast.worker.queues", "*");
    DEFAULTS.put("readpast.worker.concurrency", "16");
    DEFAULTS.put("readpast.worker.queue-concurrency", "8");
    DEFAULTS.put("readpast.worker.prefetch-bytes", "67108864");
    DEFAULTS.put("readpast.retention.completed", "P7D");
    DEFAULTS.put("readpast.retention.discarded", "P90D");
    DEFAULTS.put("readpast.retention.audit", "P90D");
    DEFAULTS.put("readpast.retention.queues", "P7D");
    DEFAULTS.put("readpast.payload.masked", "");
    DEFAULTS.put("readpast.payload.max-size", "1048576");
    DEFAULTS.put("readpast.lease", "PT10S");
    DEFAULTS.put("readpast.poll-interval", "PT2S");
    DEFAULTS.put("readpast.notify.enabled", "true");
    DEFAULTS.put("readpast.work-time-limit", "PT1S");
    DEFAULTS.put("readpast.start-grace", "PT1M");
    DEFAULTS.put("readpast.shutdown-grace", "PT20S");
    DEFAULTS.put("readpast.sql.datasources", "");
    DEFAULTS.put("readpast.sql.given", "false");
    DEFAULTS.put("readpast.sql.timeout", "PT5M");
    DEFAULTS.put("readpast.ejb.allow", "");
    DEFAULTS.put(WEBHOOK, "");
    DEFAULTS.put("readpast.webhook.allow", "");
    DEFAULTS.put("readpast.webhook.secret", "");
    DEFAULTS.put("readpast.users", "");
    DEFAULTS.put("readpast.users.container", "false");
    DEFAULTS.put("readpast.admin.password-hash", "");
    DEFAULTS.put("readpast.admin.password", "");
    DEFAULTS.put("readpast.oidc.issuer", "");
    DEFAULTS.put("readpast.oidc.name", "");
    DEFAULTS.put("readpast.oidc.client-id", "");
    DEFAULTS.put("readpast.oidc.client-secret", "");
    DEFAULTS.put("readpast.oidc.scopes", "openid profile");
    DEFAULTS.put("readpast.oidc.name-claim", "preferred_username");
    DEFAULTS.put("readpast.oidc.roles-claim", "groups");
    DEFAULTS.put("readpast.oidc.redirect-uri", "");
    DEFAULTS.put("readpast.oidc.audience", "");
  }

  private final Config config = ConfigProvider.getConfig();
  private final Configuration configuration;

  ConfigurationInForce(Configuration configuration) {
    this.configuration = configuration;
  }

  /** The keys that there are, in an order of their own, then those that have a name in them. */
  List<About.Setting> read() {
    List<About.Setting> settings = new ArrayList<>();
    DEFAULTS.keySet().forEach(key -> settings.add(setting(key, true)));
    TreeSet<String> others = new TreeSet<>();
    for (String key : config.getPropertyNames()) {
      if (key.startsWith("readpast.") && !DEFAULTS.containsKey(key)) {
        others.add(key);
      }
    }
    others.forEach(key -> settings.add(setting(key, NAMED.matcher(key).matches())));
    return settings;
  }

  private About.Setting setting(String key, boolean known) {
    ConfigValue said = config.getConfigValue(key);
    String value = said.getValue();
    if (value == null) {
      String otherwise =
          key.equals("readpast.datasource.system")
              ? configuration.dataSource()
              : DEFAULTS.getOrDefault(key, "");
      return new About.Setting(
          key, otherwise.isEmpty() ? null : otherwise, "default", false, known);
    }
    boolean secret =
        SECRET.matcher(key).find() || SECRET_IN_VALUE.matcher(value).find() || key.equals(WEBHOOK);
    String source = said.getSourceName();
    return new About.Setting(
        key, secret ? null : value, source == null ? "unknown" : source, secret, known);
  }
}
