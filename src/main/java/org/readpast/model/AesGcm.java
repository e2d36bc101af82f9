package org.readpast.model;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;
import org.readpast.api.EncryptionKeys;
import org.readpast.api.PayloadCipher;

/**
 * Encrypts with AES-256-GCM; the result is a random nonce of 12 bytes, the ciphertext, and a tag of
 * 16 bytes.
 */
public final class AesGcm implements PayloadCipher {
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final EncryptionKeys keys;
  private final SecureRandom random = new SecureRandom();

  public AesGcm(EncryptionKeys keys) {
    this.keys = keys;
  }

  @Override
  public @Nullable String currentKey() {
    return keys.current();
  }

  @Override
  public boolean hasKey(String key) {
    return keys.find(key) != null;
  }

  @Override
  public byte[] encrypt(String key, byte[] plain, byte[] additionalData) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      byte[] encrypted = cipher(Cipher.ENCRYPT_MODE, key, nonce, additionalData).doFinal(plain);
      return ByteBuffer.allocate(NONCE_BYTES + encrypted.length).put(nonce).put(encrypted).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("key '" + key + "' cannot encrypt: " + e.getMessage(), e);
    }
  }

  @Override
  public byte[] decrypt(String key, byte[] encrypted, byte[] additionalData) {
    if (encrypted.length < NONCE_BYTES + TAG_BITS / 8) {
      throw new IllegalArgumentException(
          "the stored value is too short to be encrypted with AES-GCM");
    }
    try {
      return cipher(Cipher.DECRYPT_MODE, key, encrypted, additionalData)
          .doFinal(encrypted, NONCE_BYTES, encrypted.length - NONCE_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "the stored value was not encrypted with key '" + key + "' in this place, or was changed",
          e);
    }
  }

  private Cipher cipher(int mode, String id, byte[] nonce, byte[] additionalData)
      throws GeneralSecurityException {
    SecretKey key = keys.find(id);
    if (key == null) {
      throw new GeneralSecurityException("the key does not exist");
    }
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce, 0, NONCE_BYTES));
    cipher.updateAAD(additionalData);
    return cipher;
  }
}
