package org.readpast.runtime;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.model.ScheduleDefinition;
import org.readpast.model.Suggestion;

/** Defines all known configuration keys. */
final class ConfigurationKeys {
  private ConfigurationKeys() {}

  private static final String PREFIX = "readpast.";
  private static final String QUEUE = "readpast.queue.";

  /**
   * Contains the keys that contain no name, with their default values; an empty value means that
   * there is no default.
   */
  static final Map<String, String> DEFAULTS = new LinkedHashMap<>();

  static {
    DEFAULTS.put("readpast.datasource", "jdbc/readpast");
    DEFAULTS.put("readpast.datasource.system", "");
    DEFAULTS.put("readpast.schema.name", "");
    DEFAULTS.put("readpast.schema.auto", "apply");
    DEFAULTS.put("readpast.node.name", "<owner>@<host>");
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
    DEFAULTS.put("readpast.encryption.current-key", "");
    DEFAULTS.put("readpast.encryption.key-file", "");
    DEFAULTS.put("readpast.encryption.key-store", "");
    DEFAULTS.put("readpast.encryption.key-store-password", "");
    DEFAULTS.put("readpast.encryption.properties", "false");
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
    DEFAULTS.put("readpast.webhook.url", "");
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

  /** Contains the settings of named objects, by the prefix of their keys. */
  static final Map<String, List<String>> NAMED =
      Map.of(
          QUEUE,
          List.of(
              "concurrency",
              "global-concurrency",
              "mode",
              "reserved",
              "retention.completed",
              "retention.discarded",
              "roles.admin",
              "roles.operator",
              "roles.viewer",
              "work-time-limit"),
          "readpast.type.",
          List.of(
              "abort-on",
              "backoff",
              "concurrency",
              "delay",
              "ejb",
              "global-concurrency",
              "jitter",
              "jobs-per-transaction",
              "max-attempts",
              "max-delay",
              "mode",
              "retention.completed",
              "retention.discarded",
              "retention.payload",
              "timeout"),
          "readpast.schedule.",
          ScheduleDefinition.FIELDS.stream().map(ConfigurationKeys::ofField).toList(),
          "readpast.rule.",
          List.of(
              "computation",
              "datasource",
              "enabled",
              "priority",
              "queue",
              "schedule",
              "search",
              "type"),
          "readpast.user.",
          List.of("password-hash", "roles"),
          "readpast.encryption.key.",
          List.of(),
          "readpast.sql.statement.",
          List.of(),
          "readpast.oidc.role.",
          List.of(),
          "readpast.users.container.role.",
          List.of());

  /** Matches the variables of the server configurations that are shipped with Readpast. */
  private static final Pattern OF_SERVER =
      Pattern.compile("readpast\\.(?:db|http|https|iiop|keystore|driver|metrics)\\.[a-z.-]+");

  private static final Pattern NAME = Pattern.compile("(?:\"[^\"]*\"|[^.\"]+)(?:\\.(.+))?");

  /**
   * Returns the configuration key of a field that is called {@code latestStart} or the like in
   * JSON.
   */
  static String ofField(String field) {
    return field.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  /** Returns true if the key is known, even if the object that it names does not exist. */
  static boolean known(String key) {
    if (DEFAULTS.containsKey(key) || OF_SERVER.matcher(key).matches()) {
      return true;
    }
    Named named = named(key);
    return named != null
        && (named.said() == null) == named.sayable().isEmpty()
        && (named.said() == null || named.sayable().contains(named.said()));
  }

  /** Returns the queue that a key refers to, or null if it refers to none. */
  static @Nullable String queue(String key) {
    Named named = key.startsWith(QUEUE) ? named(key) : null;
    if (named == null || named.said() == null) {
      return null;
    }
    String name = named.begin().substring(QUEUE.length(), named.begin().length() - 1);
    return name.startsWith("\"") ? name.substring(1, name.length() - 1) : name;
  }

  /**
   * Describes a configuration key that contains a name.
   *
   * @param begin the part of the key before the setting
   * @param said the setting, or null if nothing follows the name
   * @param sayable the settings that this kind of object can have; empty if there are none
   */
  private record Named(String begin, @Nullable String said, List<String> sayable) {}

  private static @Nullable Named named(String key) {
    for (Map.Entry<String, List<String>> family : NAMED.entrySet()) {
      if (key.startsWith(family.getKey())) {
        String rest = key.substring(family.getKey().length());
        Matcher name = NAME.matcher(rest);
        if (name.matches()) {
          String said = name.group(1);
          String begin = said == null ? key : key.substring(0, key.length() - said.length());
          return new Named(begin, said, family.getValue());
        }
      }
    }
    return null;
  }

  /**
   * Returns the unknown keys, each with the known key that is most similar, or null if all keys are
   * known. Only keys in the form of this class are checked: an environment contains variables such
   * as READPAST_PORT for other purposes. Open Liberty also lists variables in this form, such as
   * {@code readpast.port}; of these, only those that are similar to a known key are returned, but
   * not {@code readpast.admin.password.hash}, which is the variable of a known key.
   *
   * @param variables the names of the environment variables
   */
  static @Nullable String unknown(Iterable<String> keys, Set<String> variables) {
    Map<String, String> unknown = new TreeMap<>();
    for (String key : keys) {
      if (key.startsWith(PREFIX) && !known(key)) {
        String nearest = nearest(key);
        String variable = variable(key);
        boolean misspelled = nearest != null && !variable(nearest).equals(variable);
        if (misspelled || !variables.contains(variable)) {
          unknown.put(key, nearest == null ? key : key + " (" + nearest + "?)");
        }
      }
    }
    return unknown.isEmpty() ? null : String.join(", ", unknown.values());
  }

  private static String variable(String key) {
    return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
  }

  private static @Nullable String nearest(String key) {
    Named named = named(key);
    if (named != null && named.said() == null) {
      return null;
    }
    Stream<String> candidates =
        named == null
            ? DEFAULTS.keySet().stream()
            : named.sayable().stream().map(said -> named.begin() + said);
    return Suggestion.of(key, candidates);
  }
}
