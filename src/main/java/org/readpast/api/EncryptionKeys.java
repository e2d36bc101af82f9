package org.readpast.api;

import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * Supplies the keys of the built-in AES-256-GCM. A bean of this type replaces the keys of the
 * configuration, for example to read them from a key service.
 *
 * <p>The engine requests a key each time it encrypts or decrypts a text, on many threads, so the
 * bean should keep the keys in memory.
 */
public interface EncryptionKeys {
  /**
   * Returns the id of the key that encrypts from now on: 1 to 64 letters, digits, dots, hyphens and
   * underscores. If null, nothing more is encrypted. The id may change at any time; nodes that have
   * to decrypt must already have the new key by then.
   */
  @Nullable String current();

  /** Returns the 256-bit AES key with this id; null if this application does not have it. */
  @Nullable SecretKey find(String id);
}
