package org.readpast.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.ConfigValue;
import org.readpast.admin.About;
import org.readpast.model.QueueScope;

/** Lists the effective configuration with the source of each value, without revealing secrets. */
final class ConfigurationInForce {
  private static final Pattern SECRET =
      Pattern.compile(
          "password|secret|hash|token|credential|encryption\\.key\\.", Pattern.CASE_INSENSITIVE);
  private static final Pattern SECRET_IN_VALUE =
      Pattern.compile("(?:password|secret|token)\\s*[=:]|://[^/@\\s]*@", Pattern.CASE_INSENSITIVE);
  // The path of the webhook's address may contain a secret.
  private static final String WEBHOOK = "readpast.webhook.url";

  private final Config config = ConfigProvider.getConfig();
  private final Configuration configuration;

  ConfigurationInForce(Configuration configuration) {
    this.configuration = configuration;
  }

  /**
   * Returns the keys that contain no name, in a fixed order, followed by the keys that contain a
   * name.
   *
   * @param seen the visible queues; unless these are all queues, keys that contain a name are
   *     listed only for these queues
   */
  List<About.Setting> read(QueueScope seen) {
    List<About.Setting> settings = new ArrayList<>();
    ConfigurationKeys.DEFAULTS.keySet().stream()
        .filter(key -> seen.isAll() || !key.equals("readpast.worker.queues"))
        .forEach(key -> settings.add(setting(key, true)));
    TreeSet<String> others = new TreeSet<>();
    for (String key : config.getPropertyNames()) {
      if (key.startsWith("readpast.") && !ConfigurationKeys.DEFAULTS.containsKey(key)) {
        String queue = ConfigurationKeys.queue(key);
        if (seen.isAll() || queue != null && seen.contains(queue)) {
          others.add(key);
        }
      }
    }
    others.forEach(key -> settings.add(setting(key, ConfigurationKeys.known(key))));
    return settings;
  }

  private About.Setting setting(String key, boolean known) {
    ConfigValue said = config.getConfigValue(key);
    String value = said.getValue();
    if (value == null) {
      String otherwise =
          key.equals("readpast.datasource.system")
              ? configuration.dataSource()
              : ConfigurationKeys.DEFAULTS.getOrDefault(key, "");
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
