package org.readpast.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.readpast.api.EncryptionKeys;
import org.readpast.api.PayloadCipher;
import org.readpast.model.AesGcm;
import org.readpast.model.Encryption;

/** Derives keys from their ids; with {@code id=text}, the key is derived from the text. */
public final class TestKeys implements EncryptionKeys {
  private final Map<String, SecretKey> keys = new HashMap<>();
  private volatile @Nullable String current;

  public TestKeys(String... ids) {
    for (String id : ids) {
      add(id);
    }
    current = ids.length == 0 ? null : ids[0].split("=")[0];
  }

  /**
   * Returns an encryption of payloads, results and failures with the first key. Properties are not
   * encrypted.
   */
  public static Encryption encryption(String... ids) {
    return new Encryption(new AesGcm(new TestKeys(ids)), false);
  }

  /** Returns an encryption that decrypts with these keys, and encrypts nothing. */
  public static Encryption decryption(String... ids) {
    TestKeys keys = new TestKeys(ids);
    keys.current = null;
    return new Encryption(new AesGcm(keys), false);
  }

  /**
   * Returns an encryption that leaves strings readable, for tests with large payloads: encryption
   * is slow in a process that runs only for a short time.
   */
  public static Encryption readable() {
    return new Encryption(new Readable(), false);
  }

  private static final class Readable implements PayloadCipher {
    @Override
    public String currentKey() {
      return "readable";
    }

    @Override
    public boolean hasKey(String key) {
      return key.equals(currentKey());
    }

    @Override
    public byte[] encrypt(String key, byte[] plain, byte[] additionalData) {
      return plain;
    }

    @Override
    public byte[] decrypt(String key, byte[] encrypted, byte[] additionalData) {
      return encrypted;
    }
  }

  private void add(String id) {
    List<String> parts = List.of(id.split("="));
    try {
      byte[] bytes =
          MessageDigest.getInstance("SHA-256").digest(parts.get(parts.size() - 1).getBytes(UTF_8));
      keys.put(parts.get(0), new SecretKeySpec(bytes, "AES"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
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
