package org.readpast.rest.signin;

import jakarta.security.enterprise.identitystore.PasswordHash;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.readpast.model.Role;

/**
 * Holds the users that are defined in the configuration.
 *
 * @param faults the errors in the configuration; a user with a fault cannot sign in
 * @param declared the names in {@link #folded} form, including those of users with a fault
 * @param plain true if the configuration contains a password in plain text
 */
record UserConfig(
    Map<String, User> users, List<String> faults, Set<String> declared, boolean plain) {
  private static final String ADMIN = "admin";
  private static final String ADMIN_HASH = "readpast.admin.password-hash";
  private static final String FORM =
      "specify PBKDF2WithHmacSHA256:<iterations>:<salt>:<hash>, with the salt and the hash in"
          + " Base64, and at most ten million iterations";
  private static final Pattern HASH =
      Pattern.compile(
          "PBKDF2WithHmacSHA(?:224|256|384|512):([0-9]{1,8}):([A-Za-z0-9+/=]+):([A-Za-z0-9+/=]+)");
  // The maximum number of iterations: each sign-in executes all of them, which takes some seconds.
  private static final int MOST_ITERATIONS = 10_000_000;

  /** Reads the users; {@code roles} are the existing roles. */
  static UserConfig read(Config config, PasswordHash hash, Set<String> roles) {
    Optional<String> plain = config.getOptionalValue("readpast.admin.password", String.class);
    UserConfig found =
        new UserConfig(
            new LinkedHashMap<>(), new ArrayList<>(), new HashSet<>(), plain.isPresent());
    names(config, "readpast.users").forEach(name -> found.add(config, name, roles));
    Optional<String> hashed = config.getOptionalValue(ADMIN_HASH, String.class);
    if (hashed.isPresent()) {
      found.addAdmin(hashed.get(), plain.isPresent());
    } else if (plain.isPresent()) {
      found.addAdmin(hash.generate(plain.get().toCharArray()), false);
    }
    return found;
  }

  /**
   * Returns a name in the form in which directories compare names, ignoring case, width and spaces.
   */
  static String folded(String name) {
    return Normalizer.normalize(name, Normalizer.Form.NFKC)
        .strip()
        .replaceAll("\\s+", " ")
        .toUpperCase(Locale.ROOT)
        .toLowerCase(Locale.ROOT);
  }

  private void addAdmin(String hash, boolean both) {
    declared.add(ADMIN);
    if (both) {
      faults.add(
          "readpast.admin.password is configured in addition to "
              + ADMIN_HASH
              + ", which applies; remove the password");
    }
    if (!isHash(hash)) {
      faults.add(ADMIN_HASH + " is malformed, so user 'admin' cannot sign in; " + FORM);
    } else if (users.put(ADMIN, new User(hash, Set.of(Role.General.ADMIN))) != null) {
      faults.add(
          "user 'admin' is configured in readpast.users and in readpast.admin; the password of"
              + " readpast.admin applies. Remove one of the two");
    }
  }

  private void add(Config config, String name, Set<String> known) {
    declared.add(folded(name));
    String prefix = "readpast.user.\"" + name + "\".";
    Optional<String> hash = config.getOptionalValue(prefix + "password-hash", String.class);
    Set<String> roles = new TreeSet<>(names(config, prefix + "roles"));
    if (hash.isEmpty() || !isHash(hash.get())) {
      faults.add(
          prefix
              + "password-hash is missing or malformed, so user '"
              + name
              + "' cannot sign in; "
              + FORM);
    } else if (roles.isEmpty() || !known.containsAll(roles)) {
      faults.add(
          prefix
              + "roles is "
              + roles
              + ", so user '"
              + name
              + "' cannot sign in; specify one or more of "
              + String.join(", ", new TreeSet<>(known)));
    } else {
      users.put(name, new User(hash.get(), Set.copyOf(roles)));
    }
  }

  private static boolean isHash(String text) {
    Matcher parts = HASH.matcher(text);
    if (!parts.matches()) {
      return false;
    }
    int iterations = Integer.parseInt(parts.group(1));
    return iterations > 0
        && iterations <= MOST_ITERATIONS
        && isBase64(parts.group(2))
        && isBase64(parts.group(3));
  }

  private static boolean isBase64(String text) {
    try {
      return Base64.getDecoder().decode(text).length > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static List<String> names(Config config, String key) {
    return config
        .getOptionalValue(key, String.class)
        .map(list -> List.of(list.split(",")))
        .orElse(List.of())
        .stream()
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .toList();
  }
}
