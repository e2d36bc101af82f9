package org.readpast.api;

import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * Supplies the keys of the built-in AES-256-GCM. A bean of this type replaces the keys of the
 * configuration, for example to read them from a key service.
 *
 * <p>The engine asks for a key each time that it encrypts or decrypts a text, on many threads, so
 * keys are to be in memory.
 */
public interface EncryptionKeys {
  /**
   * Returns the id of the key that encrypts from now on: 1 to 64 letters, digits, dots, hyphens and
   * underscores. Null: nothing is encrypted any more. The id may change at any time; nodes that are
   * to decrypt must have the new key before.
   */
  @Nullable String current();

  /** Returns the AES key of 256 bits with this id; null if this application does not have it. */
  @Nullable SecretKey find(String id);
}
