package org.readpast.api;

import org.jspecify.annotations.Nullable;

/**
 * Encrypts the contents of jobs before they are stored in the database. A bean of this type
 * replaces the built-in AES-256-GCM; a bean that only supplies keys implements {@link
 * EncryptionKeys}.
 *
 * <p>The engine calls the bean for each value of each job, on many threads: keep data keys in
 * memory instead of calling a key service each time. An exception from {@link #encrypt} reaches the
 * caller of the enqueue. A job waits, and no attempt is counted, if {@link #hasKey} or {@link
 * #decrypt} throws an exception for its payload.
 */
public interface PayloadCipher {
  /**
   * Returns the id of the current key, which encrypts from now on: 1 to 64 letters, digits, dots,
   * hyphens and underscores. If the id is null, nothing more is encrypted, but encrypted values are
   * still decrypted.
   */
  @Nullable String currentKey();

  /** Returns true if this application has the key. */
  boolean hasKey(String key);

  /**
   * Encrypts a string.
   *
   * @param key the id of the key
   * @param plain the text in UTF-8
   * @param additionalData data that is authenticated but not encrypted: it identifies the text, the
   *     id of the job and its type
   */
  byte[] encrypt(String key, byte[] plain, byte[] additionalData);

  /**
   * Decrypts a string that {@link #encrypt} has encrypted.
   *
   * @param key the id of the key
   * @param additionalData the same data that was passed to {@link #encrypt}
   * @throws RuntimeException if this key did not encrypt the text with this additional data
   */
  byte[] decrypt(String key, byte[] encrypted, byte[] additionalData);
}
