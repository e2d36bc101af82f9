package org.readpast.api;

import org.jspecify.annotations.Nullable;

/**
 * Encrypts what jobs are about before it is stored in the database. A bean of this type replaces
 * the built-in AES-256-GCM; a bean that only supplies keys implements {@link EncryptionKeys}.
 *
 * <p>The engine calls it for each text of each job, on many threads: keep data keys in memory
 * rather than calling a key service each time. Exceptions of {@link #encrypt} reach whoever
 * enqueues; a job whose payload {@link #decrypt} refuses waits, and no attempt is counted.
 */
public interface PayloadCipher {
  /**
   * Returns the id of the key that encrypts from now on: 1 to 64 letters, digits, dots, hyphens and
   * underscores. Null: nothing is encrypted any more, and what is encrypted is still decrypted.
   */
  @Nullable String currentKey();

  /** Returns true if this application has the key. */
  boolean hasKey(String key);

  /**
   * Encrypts a text.
   *
   * @param plain UTF-8
   * @param additionalData authenticated, not encrypted: names the text, the job's id and its type
   */
  byte[] encrypt(String key, byte[] plain, byte[] additionalData);

  /**
   * Decrypts what {@link #encrypt} returned.
   *
   * @param additionalData as it was given there
   * @throws RuntimeException if it is not what this key encrypted with this additional data
   */
  byte[] decrypt(String key, byte[] encrypted, byte[] additionalData);
}
