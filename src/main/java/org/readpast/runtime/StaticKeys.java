package org.readpast.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.readpast.api.EncryptionKeys;
import org.readpast.model.Encryption;

/**
 * Holds encryption keys that were read at startup from the configuration, a file or a PKCS#12 key
 * store.
 */
final class StaticKeys implements EncryptionKeys {
  private static final int KEY_BYTES = 32;
  private static final String CURRENT = "readpast.encryption.current-key";
  private static final String KEY = "readpast.encryption.key.";
  private static final String FILE = "readpast.encryption.key-file";
  private static final String STORE = "readpast.encryption.key-store";
  private static final String STORE_PASSWORD = "readpast.encryption.key-store-password";
  private static final String NONE = "none";
  private static final String HOW = "specify the Base64 of 32 random bytes";

  private final Map<String, SecretKey> keys = new HashMap<>();
  private @Nullable String current;

  private StaticKeys() {}

  /**
   * Reads the keys and adds the errors.
   *
   * @param names the ids of keys that the configuration itself contains
   * @return the keys, or null if none are configured
   */
  static @Nullable StaticKeys read(Set<String> names, ConfigurationErrors errors) {
    StaticKeys read = new StaticKeys();
    for (String name : names) {
      String key = KEY + '"' + name + '"';
      String value = errors.secret(key, text -> text, HOW);
      if (value != null) {
        read.add(key, name, value, errors);
      }
    }
    String file = errors.optional(FILE, text -> text, "specify a path");
    if (file != null) {
      read.addFile(file, errors);
    }
    String store = errors.optional(STORE, text -> text, "specify a path");
    if (store != null) {
      read.addStore(
          store, errors.secret(STORE_PASSWORD, text -> text, "specify a password"), errors);
    }
    String current = errors.optional(CURRENT, text -> text, "specify the id of a key");
    if (names.isEmpty() && file == null && store == null && current == null) {
      return null;
    }
    errors.check(
        current != null && (current.equals(NONE) || read.keys.containsKey(current)),
        CURRENT,
        current == null ? "" : current,
        "specify the id of one of the keys "
            + new java.util.TreeSet<>(read.keys.keySet())
            + ", or none to decrypt only");
    read.current = NONE.equals(current) ? null : current;
    return read;
  }

  private void add(String key, String id, String base64, ConfigurationErrors errors) {
    try {
      Encryption.checkKey(id);
      byte[] bytes = Base64.getDecoder().decode(base64.strip());
      if (bytes.length == KEY_BYTES) {
        SecretKey other = keys.put(id, new SecretKeySpec(bytes, "AES"));
        if (other != null && !Arrays.equals(other.getEncoded(), bytes)) {
          errors.add(
              key + " differs from another configured key with the same id; keep one of them");
        }
        return;
      }
      errors.add(key + " has " + bytes.length + " bytes; " + HOW);
    } catch (IllegalArgumentException e) {
      errors.add(
          e.getMessage() != null && e.getMessage().startsWith("the id")
              ? key + ": " + e.getMessage()
              : key + " is not Base64; " + HOW);
    }
  }

  private void addFile(String path, ConfigurationErrors errors) {
    Properties lines = new Properties();
    try (Reader file = Files.newBufferedReader(Path.of(path))) {
      lines.load(file);
    } catch (IOException | IllegalArgumentException e) {
      errors.add(FILE + " is '" + path + "', which cannot be read: " + e);
      return;
    }
    lines
        .stringPropertyNames()
        .forEach(id -> add(FILE + ", key '" + id + "',", id, lines.getProperty(id), errors));
  }

  private void addStore(String path, @Nullable String password, ConfigurationErrors errors) {
    char[] secret = password == null ? new char[0] : password.toCharArray();
    try (InputStream file = Files.newInputStream(Path.of(path))) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(file, secret);
      for (String id : Collections.list(store.aliases())) {
        addEntry(id, store.getKey(id, secret), errors);
      }
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      errors.add(
          STORE
              + " is '"
              + path
              + "', which cannot be read with the password of "
              + STORE_PASSWORD
              + ": "
              + e);
    }
  }

  private void addEntry(String id, @Nullable Key key, ConfigurationErrors errors) {
    if (key instanceof SecretKey secret) {
      byte[] bytes = secret.getEncoded();
      add(
          STORE + ", key '" + id + "',",
          id,
          Base64.getEncoder().encodeToString(bytes == null ? new byte[0] : bytes),
          errors);
    }
  }

  @Override
  public @Nullable String current() {
    return current;
  }

  @Override
  public @Nullable SecretKey find(String id) {
    return keys.get(id);
  }
}
