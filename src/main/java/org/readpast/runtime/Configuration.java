package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.SqlAccess;
import org.readpast.api.JobRequest;
import org.readpast.api.ReceiveMode;
import org.readpast.engine.Settings;
import org.readpast.engine.Settings.QueueSettings;
import org.readpast.model.MaskedFields;
import org.readpast.model.Names;
import org.readpast.model.Owner;
import org.readpast.model.RetryPolicy;
import org.readpast.model.Rule;
import org.readpast.model.ScheduleDefinition;
import org.readpast.model.SchemaName;
import org.readpast.model.SqlText;

/** Reads MicroProfile Config, and reports all errors of the configuration together. */
@ApplicationScoped
public class Configuration {
  private final Config config = ConfigProvider.getConfig();

  /** Returns the JNDI name of the data source that the queue and the business data share. */
  public String dataSource() {
    return text("readpast.datasource", "jdbc/readpast");
  }

  /**
   * Returns the JNDI name of the data source for heartbeats, acknowledgements and notifications.
   */
  public String systemDataSource() {
    return text("readpast.datasource.system", dataSource());
  }

  /** Returns what to do with the tables at startup: apply, validate or none. */
  public String schemaAuto() {
    return text("readpast.schema.auto", "apply");
  }

  /** Returns the schema of the tables; its errors are reported by {@link #settings}. */
  SchemaName schemaName() {
    return new SchemaName(raw(SchemaName.PROPERTY).map(String::trim).orElse(null));
  }

  /** Returns how long to wait at startup for a database that does not respond. */
  Duration startGrace(ConfigurationErrors errors) {
    return errors.duration("readpast.start-grace", "PT1M");
  }

  /** Returns the maximum size of a payload, in bytes of its JSON. */
  public int payloadMaxSize() {
    return config.getOptionalValue("readpast.payload.max-size", Integer.class).orElse(1024 * 1024);
  }

  /**
   * Returns the members of payloads that are hidden from viewers; errors are reported by {@link
   * #settings}.
   */
  MaskedFields masked() {
    return MaskedFields.parse(text("readpast.payload.masked", ""));
  }

  /**
   * Returns all settings of the engine, and adds their errors.
   *
   * @param aliases other names of job types, each with the name that the configuration uses
   */
  Settings settings(Owner owner, Map<String, String> aliases, ConfigurationErrors errors) {
    errors.check(
        Set.of("apply", "validate", "none").contains(schemaAuto()),
        "readpast.schema.auto",
        schemaAuto(),
        "specify apply, validate or none");
    errors.optional(SchemaName.PROPERTY, SchemaName::new, SchemaName.RULE);
    int maxSize =
        errors.read(
            "readpast.payload.max-size",
            1024 * 1024,
            Integer::valueOf,
            "specify a number of bytes");
    errors.check(
        maxSize > 0, "readpast.payload.max-size", maxSize, "specify a positive number of bytes");
    Duration lease = errors.duration("readpast.lease", "PT10S");
    errors.check(
        lease.compareTo(Duration.ofSeconds(1)) >= 0,
        "readpast.lease",
        lease,
        "specify PT1S or more");
    int workers = errors.count("readpast.worker.concurrency", 16);
    int perQueue = errors.count("readpast.worker.queue-concurrency", 8);
    long prefetch =
        errors.read(
            "readpast.worker.prefetch-bytes",
            64L << 20,
            Long::valueOf,
            "specify a number of bytes");
    errors.check(
        prefetch > 0,
        "readpast.worker.prefetch-bytes",
        prefetch,
        "specify a positive number of bytes, such as 67108864");
    Duration audit = errors.duration("readpast.retention.audit", "P90D");
    errors.check(
        !audit.isZero(), "readpast.retention.audit", audit, "specify more than zero, such as P90D");
    Duration unused = errors.duration("readpast.retention.queues", "P7D");
    errors.check(
        unused.compareTo(Duration.ofHours(1)) >= 0,
        "readpast.retention.queues",
        unused,
        "specify PT1H or more");
    errors.optional(
        "readpast.payload.masked",
        MaskedFields::parse,
        "specify names of fields, or full paths with dots between the names, separated by commas");
    Map<String, QueueSettings> queues = queues(errors);
    sqlAllowed(errors);
    int reserved =
        queues.values().stream()
            .map(QueueSettings::reserved)
            .mapToInt(value -> value == null ? 0 : value)
            .sum();
    errors.check(
        reserved <= workers,
        "the sum of readpast.queue.….reserved",
        reserved,
        "reserve at most the " + workers + " of readpast.worker.concurrency");
    return new Settings(
        owner,
        text("readpast.node.name", owner.name() + "@" + hostName()),
        version(),
        errors.flag("readpast.worker.enabled", true),
        list("readpast.worker.queues"),
        workers,
        perQueue,
        prefetch,
        errors.duration("readpast.poll-interval", "PT2S"),
        lease,
        errors.duration("readpast.work-time-limit", "PT1S"),
        errors.duration("readpast.shutdown-grace", "PT20S"),
        errors.flag("readpast.notify.enabled", true),
        RetentionReader.read(namesUnder("readpast.queue."), namesUnder("readpast.type."), errors)
            .withAliases(aliases),
        audit,
        unused,
        queues,
        TypeLimitsReader.read(namesUnder("readpast.type."), aliases, errors));
  }

  /** Returns the keys that the configuration contains or refers to, or null if there are none. */
  @Nullable StaticKeys encryptionKeys(ConfigurationErrors errors) {
    return StaticKeys.read(namesUnder("readpast.encryption.key."), errors);
  }

  /**
   * Returns the SQL from outside the application that is allowed; errors are reported by {@link
   * #settings}.
   */
  SqlAccess.Allowed sqlAllowed() {
    return sqlAllowed(errors());
  }

  private SqlAccess.Allowed sqlAllowed(ConfigurationErrors errors) {
    Duration timeout = errors.duration("readpast.sql.timeout", "PT5M");
    errors.check(
        timeout.compareTo(Duration.ofSeconds(1)) >= 0,
        "readpast.sql.timeout",
        timeout,
        "specify PT1S or more");
    Map<String, String> statements = new HashMap<>();
    for (String name : namesUnder("readpast.sql.statement.")) {
      String key = "readpast.sql.statement.\"" + name + "\"";
      raw(key).ifPresent(text -> statements.put(name, text));
      errors.guard(key, () -> SqlText.of(statements.getOrDefault(name, "")));
    }
    return new SqlAccess.Allowed(
        dataSources(), dataSource(), timeout, errors.flag("readpast.sql.given", false), statements);
  }

  private List<String> dataSources() {
    return Arrays.stream(text("readpast.sql.datasources", "").split(","))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  /** Returns the rules that the configuration declares, and adds their errors. */
  List<Rule> rules(ConfigurationErrors errors) {
    List<Rule> rules = new ArrayList<>();
    for (String name : namesUnder("readpast.rule.")) {
      String prefix = "readpast.rule.\"" + name + "\".";
      int priority =
          errors.read(
              prefix + "priority", JobRequest.DEFAULT_PRIORITY, Integer::valueOf, "specify 0 to 9");
      boolean enabled = errors.flag(prefix + "enabled", true);
      errors.guard(
          prefix + "…",
          () ->
              rules.add(
                  new Rule(
                      name,
                      raw(prefix + "search").orElse(""),
                      raw(prefix + "datasource").orElse(null),
                      raw(prefix + "type").orElse(""),
                      raw(prefix + "queue").orElse("default"),
                      priority,
                      raw(prefix + "computation").orElse(null),
                      raw(prefix + "schedule").orElse(null),
                      enabled)));
    }
    return rules;
  }

  private Map<String, QueueSettings> queues(ConfigurationErrors errors) {
    Map<String, QueueSettings> queues = new HashMap<>();
    for (String name : namesUnder("readpast.queue.")) {
      String prefix = "readpast.queue.\"" + name + "\".";
      Integer concurrency = errors.within(prefix + "concurrency", 1000);
      ReceiveMode mode =
          errors.optional(
              prefix + "mode",
              t -> ReceiveMode.valueOf(t.toUpperCase(java.util.Locale.ROOT)),
              "specify TRANSACTIONAL or LEASED");
      Duration workTimeLimit = errors.optionalDuration(prefix + "work-time-limit");
      Integer reserved = errors.within(prefix + "reserved", 1000);
      Integer overAllNodes = errors.within(prefix + "global-concurrency", 10_000);
      queues.put(name, new QueueSettings(concurrency, mode, workTimeLimit, reserved, overAllNodes));
    }
    return queues;
  }

  /** Returns the configured fields of each schedule, by the name of the schedule. */
  Map<String, Map<String, String>> schedules() {
    Map<String, Map<String, String>> schedules = new TreeMap<>();
    for (String name : namesUnder("readpast.schedule.")) {
      Map<String, String> fields = new HashMap<>();
      for (String field : ScheduleDefinition.FIELDS) {
        raw("readpast.schedule.\"" + name + "\"." + ConfigurationKeys.ofField(field))
            .ifPresent(value -> fields.put(field, value.trim()));
      }
      schedules.put(name, fields);
    }
    return schedules;
  }

  /**
   * Returns the address that is notified of discarded and taken-over jobs, or null if none is
   * configured.
   */
  @Nullable Webhook webhook(ConfigurationErrors errors) {
    String key = "readpast.webhook.url";
    URI url = errors.secret(key, URI::create, "specify an http or https address");
    if (url == null) {
      return null;
    }
    // The message omits the rest of the address, which may contain a secret.
    String shown = url.getScheme() + "://" + url.getHost();
    errors.check(
        Webhook.postable(url), key, shown, "specify an http or https address without a user name");
    errors.check(
        Webhook.allowed(url, list("readpast.webhook.allow")),
        key,
        shown,
        "name its host, or host:port, in readpast.webhook.allow");
    return new Webhook(
        url,
        errors.secret(
            "readpast.webhook.secret",
            Webhook::signer,
            "specify whsec_ and 24 to 64 random bytes in base64, such as the output of: openssl"
                + " rand -base64 32"));
  }

  /**
   * Returns a description of the configuration keys that are not known, or null if there are none.
   */
  @Nullable String unknownKeys() {
    return ConfigurationKeys.unknown(config.getPropertyNames(), System.getenv().keySet());
  }

  /** Returns the names that follow a prefix in configuration keys, with or without quotes. */
  private Set<String> namesUnder(String prefix) {
    Set<String> names = new TreeSet<>();
    for (String property : config.getPropertyNames()) {
      if (property.startsWith(prefix)) {
        String rest = property.substring(prefix.length());
        int end = rest.startsWith("\"") ? rest.indexOf('"', 1) : (rest + ".").indexOf('.');
        if (end > 0) {
          names.add(rest.startsWith("\"") ? rest.substring(1, end) : rest.substring(0, end));
        }
      }
    }
    return names;
  }

  /** Returns the job types that are handled by EJBs of other applications. */
  List<EjbHandler> ejbHandlers(ConfigurationErrors errors) {
    List<String> prefixes =
        Stream.of(text("readpast.ejb.allow", "").split(","))
            .map(String::strip)
            .filter(prefix -> !prefix.isEmpty())
            .toList();
    prefixes.forEach(
        prefix ->
            errors.check(
                EjbHandler.prefix(prefix),
                "readpast.ejb.allow",
                prefix,
                "specify prefixes of JNDI names of applications, such as java:global/legacy/"));
    List<EjbHandler> handlers = new ArrayList<>();
    for (String type : namesUnder("readpast.type.")) {
      String key = "readpast.type.\"" + type + "\".ejb";
      raw(key)
          .map(String::strip)
          .ifPresent(
              name -> {
                errors.guard(key, () -> Names.checkExplicitType(type));
                errors.check(
                    EjbHandler.allowed(name, prefixes),
                    key,
                    name,
                    "name an EJB under one of the prefixes of readpast.ejb.allow");
                handlers.add(new EjbHandler(type, name));
              });
    }
    return handlers;
  }

  /** Returns the configured settings of a job type, which override those of its handler. */
  TypeSettings type(String type, RetryPolicy policy, ConfigurationErrors errors) {
    String prefix = "readpast.type.\"" + type + "\".";
    Integer attempts =
        errors.optional(
            prefix + "max-attempts",
            t -> t.equals("unlimited") ? JobRequest.UNLIMITED : Integer.valueOf(t),
            "specify a number or unlimited");
    org.readpast.api.Backoff backoff =
        errors.optional(
            prefix + "backoff",
            t -> org.readpast.api.Backoff.valueOf(t.toUpperCase(java.util.Locale.ROOT)),
            "specify FIXED or EXPONENTIAL");
    Duration delay = errors.optionalDuration(prefix + "delay");
    Duration maxDelay = errors.optionalDuration(prefix + "max-delay");
    Double jitter =
        errors.optional(prefix + "jitter", Double::valueOf, "specify a fraction from 0 to 1");
    String abortOn = raw(prefix + "abort-on").orElse(null);
    RetryPolicy merged = policy;
    try {
      merged =
          new RetryPolicy(
              attempts == null ? policy.maxAttempts() : attempts,
              backoff == null ? policy.backoff() : backoff,
              delay == null ? policy.delay() : delay,
              maxDelay == null ? policy.maxDelay() : maxDelay,
              jitter == null ? policy.jitter() : jitter,
              abortOn == null ? policy.abortOn() : List.of(abortOn.split("\\s*,\\s*")));
    } catch (IllegalArgumentException e) {
      errors.add(prefix + "…: " + e.getMessage());
    }
    ReceiveMode mode =
        errors.optional(
            prefix + "mode",
            t -> ReceiveMode.valueOf(t.toUpperCase(java.util.Locale.ROOT)),
            "specify TRANSACTIONAL or LEASED");
    Duration timeout = errors.optionalDuration(prefix + "timeout");
    Integer together = errors.within(prefix + "jobs-per-transaction", 100);
    return new TypeSettings(mode, timeout, together, merged);
  }

  /** Holds the configured settings of a job type; a component is null if it is not configured. */
  record TypeSettings(
      @Nullable ReceiveMode mode,
      @Nullable Duration timeout,
      @Nullable Integer jobsPerTransaction,
      RetryPolicy retries) {}

  /** Returns a new, empty list of errors. */
  ConfigurationErrors errors() {
    return new ConfigurationErrors(this::raw);
  }

  private Optional<String> raw(String key) {
    Optional<String> quoted = config.getOptionalValue(key, String.class);
    return quoted.isPresent()
        ? quoted
        : config.getOptionalValue(key.replace("\"", ""), String.class);
  }

  private String text(String key, String otherwise) {
    return config.getOptionalValue(key, String.class).orElse(otherwise);
  }

  private List<String> list(String key) {
    String all = text(key, "*").trim();
    return all.equals("*") ? List.of() : List.of(all.split("\\s*,\\s*"));
  }

  /** Returns the version of Readpast. */
  static String version() {
    Properties built = new Properties();
    try (InputStream file =
        Configuration.class.getResourceAsStream("/META-INF/readpast.properties")) {
      built.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return built.getProperty("version");
  }

  private static String hostName() {
    try {
      return java.net.InetAddress.getLocalHost().getHostName();
    } catch (java.net.UnknownHostException e) {
      return "localhost";
    }
  }
}
