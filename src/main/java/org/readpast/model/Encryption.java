package org.readpast.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.readpast.api.PayloadCipher;
import org.readpast.api.ReadpastException;

/**
 * Encrypts the contents of jobs before they are stored, and decrypts them when they are read. The
 * stored form contains the id of the key: for JSON, it is the object {@code
 * {"readpast:encrypted":"<key>:<Base64>"}}; for a string, {@code
 * readpast:encrypted:<key>:<Base64>}. Data that was stored unencrypted is read unchanged.
 *
 * <p>The stored form can be decrypted only in the place for which it was created: its additional
 * authenticated data identifies the field and the job or other object to which it belongs.
 */
public final class Encryption {
  /** Encrypts nothing, and has no key. */
  public static final Encryption NONE = new Encryption(null, false);

  private static final String MARK = "readpast:encrypted";

  /** Begins the stored form of encrypted JSON. */
  public static final String JSON_PREFIX = "{\"" + MARK + "\":\"";

  /** Begins the stored form of an encrypted string. */
  public static final String TEXT_PREFIX = MARK + ":";

  /** Explains why payloads for which {@link #isPlaceholder} is true are refused. */
  public static final String PLACEHOLDER =
      "the payload is the placeholder for a payload that cannot be decrypted"
          + " here; specify another payload";

  private static final String JSON_SUFFIX = "\"}";
  private static final String WHY = "\",\"why\":\"";
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private final @Nullable PayloadCipher cipher;
  private final boolean properties;
  private volatile @Nullable String wrong;

  /**
   * Creates an instance.
   *
   * @param cipher the cipher, or null if there is none
   * @param properties true to encrypt the properties of jobs, too
   */
  public Encryption(@Nullable PayloadCipher cipher, boolean properties) {
    this.cipher = cipher;
    this.properties = properties;
  }

  /**
   * Returns true if there is a cipher, which decrypts, and also encrypts if it has a current key.
   */
  public boolean hasCipher() {
    return cipher != null;
  }

  /**
   * Returns the id of the key that currently encrypts, or null if nothing is encrypted.
   *
   * @throws ReadpastException if this key is known to differ from the key with the same id in the
   *     database
   */
  public @Nullable String currentKey() {
    String key = cipher == null ? null : cipher.currentKey();
    if (key != null) {
      checkKey(key);
      if (key.equals(wrong)) {
        throw new ReadpastException(
            "key '" + key + "' differs from the key with this id in this database");
      }
    }
    return key;
  }

  /**
   * Refuses to encrypt with this key from now on, because other nodes could not decrypt the result.
   */
  public void refuse(String key) {
    wrong = key;
  }

  /** Refuses a string that is not a valid key id. */
  public static void checkKey(String key) {
    if (!KEY.matcher(key).matches()) {
      throw new IllegalArgumentException(
          "the id of a key is '"
              + Names.excerpt(key)
              + "'; specify 1 to 64 letters, digits, dots, hyphens and underscores");
    }
  }

  /** Returns true if this application has a key. */
  public boolean hasKey(String key) {
    return cipher != null && cipher.hasKey(key);
  }

  /** Returns the stored form of JSON. */
  public String sealJson(EncryptionContext context, String json) {
    return sealJson(context, json, currentKey());
  }

  /**
   * Returns the stored form of JSON.
   *
   * @param key the result of {@link #currentKey}, which may change from call to call
   */
  public String sealJson(EncryptionContext context, String json, @Nullable String key) {
    if (key != null) {
      return JSON_PREFIX + sealed(key, context, clearJson(json)) + JSON_SUFFIX;
    }
    return clearJson(json);
  }

  /** Returns the stored form of a job's properties. */
  public @Nullable String sealProperties(
      EncryptionContext context, @Nullable String json, @Nullable String key) {
    return json == null ? null : sealJson(context, json, properties ? key : null);
  }

  /**
   * Adds a space to JSON that would otherwise look like encrypted JSON; the space does not change
   * its meaning.
   */
  private static String clearJson(String json) {
    return json.startsWith(JSON_PREFIX) ? " " + json : json;
  }

  /** Returns the stored form of a string. */
  public @Nullable String sealText(EncryptionContext context, @Nullable String text) {
    return text == null ? null : sealText(context, text, currentKey());
  }

  /** Returns the stored form of a string; for {@code key} see {@link #sealJson}. */
  public String sealText(EncryptionContext context, String text, @Nullable String key) {
    return key != null
        ? TEXT_PREFIX + sealed(key, context, text)
        : text.replace(TEXT_PREFIX, MARK + " :");
  }

  private String sealed(String key, EncryptionContext context, String plain) {
    PayloadCipher with = cipher;
    if (with == null) {
      throw new IllegalStateException("no cipher is configured");
    }
    byte[] encrypted = with.encrypt(key, plain.getBytes(UTF_8), context.additionalData());
    return key + ":" + Base64.getEncoder().withoutPadding().encodeToString(encrypted);
  }

  /**
   * Returns true if stored JSON is encrypted, or is what {@link #shownJson} returns for encrypted
   * JSON.
   */
  public static boolean isSealed(@Nullable String json) {
    return json != null && json.startsWith(JSON_PREFIX);
  }

  /**
   * Returns true for JSON that {@link #shownJson} returns instead of a payload that cannot be
   * decrypted, even if it was reformatted; it must not become a payload.
   */
  public static boolean isPlaceholder(String json) {
    int open = pastBlanks(json, 0);
    int mark = pastBlanks(json, open + 1);
    return mark < json.length()
        && json.charAt(open) == '{'
        && json.startsWith("\"" + MARK + "\"", mark)
        && json.contains("\"why\"");
  }

  private static int pastBlanks(String json, int from) {
    int at = from;
    while (at < json.length() && Character.isWhitespace(json.charAt(at))) {
      at++;
    }
    return at;
  }

  /**
   * Returns JSON as it was before it was stored.
   *
   * @throws EncryptedException if this application cannot decrypt the content
   */
  public String openJson(EncryptionContext context, String stored) {
    return isSealed(stored)
        ? opened(
            context, stored.substring(JSON_PREFIX.length(), stored.length() - JSON_SUFFIX.length()))
        : stored;
  }

  /**
   * Returns a string as it was before it was stored; unencrypted text may precede the encrypted
   * part.
   *
   * @throws EncryptedException if this application cannot decrypt the content
   */
  public String openText(EncryptionContext context, String stored) {
    int at = stored.indexOf(TEXT_PREFIX);
    return at < 0
        ? stored
        : stored.substring(0, at) + opened(context, stored.substring(at + TEXT_PREFIX.length()));
  }

  /**
   * Returns JSON for users to see. If this application cannot decrypt the JSON, the result is
   * {@code {"readpast:encrypted":"<key>","why":"…"}}.
   */
  public @Nullable String shownJson(EncryptionContext context, @Nullable String stored) {
    if (stored == null || !isSealed(stored)) {
      return stored;
    }
    try {
      return openJson(context, stored);
    } catch (EncryptedException e) {
      String why = String.valueOf(e.getMessage()).replace("\\", "\\\\").replace("\"", "\\\"");
      return JSON_PREFIX + keyOf(stored.substring(JSON_PREFIX.length())) + WHY + why + JSON_SUFFIX;
    }
  }

  /** Returns the reason why {@link #shownJson} could not decrypt the JSON, or null if it could. */
  public static @Nullable String whyNot(@Nullable String shown) {
    if (shown == null || !isSealed(shown)) {
      return null;
    }
    int why = shown.indexOf(WHY);
    return why < 0
        ? "it is encrypted"
        : shown
            .substring(why + WHY.length(), shown.length() - JSON_SUFFIX.length())
            .replace("\\\"", "\"")
            .replace("\\\\", "\\");
  }

  /** Returns a string for users to see, or the reason why it cannot be shown. */
  public @Nullable String shownText(EncryptionContext context, @Nullable String stored) {
    if (stored == null || !stored.contains(TEXT_PREFIX)) {
      return stored;
    }
    try {
      return openText(context, stored);
    } catch (EncryptedException e) {
      return stored.substring(0, stored.indexOf(TEXT_PREFIX)) + "(" + e.getMessage() + ")";
    }
  }

  private static String keyOf(String envelope) {
    Matcher key = KEY.matcher(envelope);
    return key.lookingAt() ? key.group() : "?";
  }

  private String opened(EncryptionContext context, String envelope) {
    String key = keyOf(envelope);
    try {
      if (cipher != null && cipher.hasKey(key)) {
        byte[] encrypted = Base64.getDecoder().decode(envelope.substring(key.length() + 1));
        return new String(cipher.decrypt(key, encrypted, context.additionalData()), UTF_8);
      }
    } catch (RuntimeException e) {
      throw new EncryptedException(
          context.shown()
              + " is not what key '"
              + key
              + "' of this application encrypted there: another key has the same id, the row was"
              + " changed, or the cipher failed",
          e);
    }
    throw new EncryptedException(
        context.shown()
            + " is encrypted with key '"
            + key
            + "', which this application does not have; add it to readpast.encryption.key or to"
            + " its key store",
        null);
  }
}
