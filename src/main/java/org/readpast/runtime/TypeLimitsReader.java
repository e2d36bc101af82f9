package org.readpast.runtime;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.readpast.engine.Settings.ConfiguredTypeLimits;
import org.readpast.engine.Settings.TypeConcurrency;
import org.readpast.model.Names;
import org.readpast.model.StoredType;

/** Reads from the configuration how many jobs of a type may run concurrently. */
final class TypeLimitsReader {
  private TypeLimitsReader() {}

  /**
   * Reads the limits and adds the errors.
   *
   * @param types the types that have settings in the configuration
   * @param aliases the aliases of the types that are handled here, each with its type
   */
  static ConfiguredTypeLimits read(
      Set<String> types, Map<String, String> aliases, ConfigurationErrors errors) {
    Map<String, TypeConcurrency> limits = new HashMap<>();
    for (String type : types) {
      String prefix = "readpast.type.\"" + type + "\".";
      Integer onEachNode = errors.within(prefix + "concurrency", 1000);
      Integer overAllNodes = errors.within(prefix + "global-concurrency", 10_000);
      if (onEachNode != null) {
        check(type, prefix + "concurrency", onEachNode, aliases, errors);
      }
      if (overAllNodes != null) {
        check(type, prefix + "global-concurrency", overAllNodes, aliases, errors);
      }
      if (onEachNode != null || overAllNodes != null) {
        limits.put(type, new TypeConcurrency(onEachNode, overAllNodes));
      }
    }
    return new ConfiguredTypeLimits(limits, aliases);
  }

  private static void check(
      String type, String key, int limit, Map<String, String> aliases, ConfigurationErrors errors) {
    errors.check(
        !StoredType.isVersioned(type),
        key,
        limit,
        "a limit applies to all versions of a job type; name the type without a version");
    if (!StoredType.isVersioned(type)) {
      errors.guard(key, () -> Names.checkType(type));
    }
    String own = aliases.get(type);
    errors.check(
        own == null,
        key,
        limit,
        "'"
            + type
            + "' is an alias, and its jobs count towards job type '"
            + own
            + "'; set the limit of that type");
  }
}
