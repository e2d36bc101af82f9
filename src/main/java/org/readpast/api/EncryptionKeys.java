package org.readpast.api;

import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * Supplies the keys of the built-in AES-256-GCM encryption. A bean of this type replaces the keys
 * of the configuration, for example to read them from a key service.
 *
 * <p>The engine requests a key each time it encrypts or decrypts a string, on many threads, so the
 * bean should cache the keys in memory.
 */
public interface EncryptionKeys {
  /**
   * Returns the id of the current key, which encrypts from now on: 1 to 64 letters, digits, dots,
   * hyphens and underscores. If the id is null, nothing more is encrypted. The id may change at any
   * time; all nodes that have to decrypt must have the new key before that.
   */
  @Nullable String current();

  /** Returns the 256-bit AES key with this id, or null if this application does not have it. */
  @Nullable SecretKey find(String id);
}
