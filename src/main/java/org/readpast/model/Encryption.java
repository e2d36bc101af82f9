package org.readpast.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.readpast.api.PayloadCipher;
import org.readpast.api.ReadpastException;

/**
 * Encrypts what jobs are about on its way into the database, and decrypts it on its way out. What
 * is stored is an envelope with the key's id: of JSON the object {@code
 * {"readpast:encrypted":"<key>:<Base64>"}}, of a text {@code readpast:encrypted:<key>:<Base64>}.
 * What was stored in clear is read as it is.
 *
 * <p>An envelope opens only where it was made for: its additional data name the field, and the job
 * or whatever else it belongs to.
 */
public final class Encryption {
  /** Encrypts nothing, and has no key. */
  public static final Encryption NONE = new Encryption(null, false);

  private static final String MARK = "readpast:encrypted";

  /** How the JSON of an envelope begins. */
  public static final String JSON_PREFIX = "{\"" + MARK + "\":\"";

  /** How the text of an envelope begins. */
  public static final String TEXT_PREFIX = MARK + ":";

  /** Why {@link #isPlaceholder} is refused as a payload. */
  public static final String PLACEHOLDER =
      "the payload is what is shown in place of an encrypted one that cannot be decrypted here; give"
          + " another payload";

  private static final String JSON_SUFFIX = "\"}";
  private static final String WHY = "\",\"why\":\"";
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private final @Nullable PayloadCipher cipher;
  private final boolean properties;
  private volatile @Nullable String wrong;

  /**
   * @param cipher null: there is none
   * @param properties whether it also encrypts the properties of jobs
   */
  public Encryption(@Nullable PayloadCipher cipher, boolean properties) {
    this.cipher = cipher;
    this.properties = properties;
  }

  /** Whether there is something that decrypts, and encrypts if it has a current key. */
  public boolean hasCipher() {
    return cipher != null;
  }

  /**
   * The id of the key that encrypts now; null: nothing is encrypted.
   *
   * @throws ReadpastException if that is known to be another key than the one of this id
   */
  public @Nullable String currentKey() {
    String key = cipher == null ? null : cipher.currentKey();
    if (key != null) {
      checkKey(key);
      if (key.equals(wrong)) {
        throw new ReadpastException(
            "key '" + key + "' is another one than the key of this id that this database knows");
      }
    }
    return key;
  }

  /** From now on nothing is encrypted with this key, which nobody else could decrypt. */
  public void refuse(String key) {
    wrong = key;
  }

  /** Refuses what cannot be the id of a key. */
  public static void checkKey(String key) {
    if (!KEY.matcher(key).matches()) {
      throw new IllegalArgumentException(
          "the id of a key is '"
              + Names.excerpt(key)
              + "'; give 1 to 64 letters, digits, dots, hyphens and underscores");
    }
  }

  /** Whether this application has a key. */
  public boolean hasKey(String key) {
    return cipher != null && cipher.hasKey(key);
  }

  /** Returns what is stored for JSON. */
  public String sealJson(EncryptionContext context, String json) {
    return sealJson(context, json, currentKey());
  }

  /**
   * Returns what is stored for JSON.
   *
   * @param key that {@link #currentKey} gave, which may change from one call to the next
   */
  public String sealJson(EncryptionContext context, String json, @Nullable String key) {
    if (key != null) {
      return JSON_PREFIX + sealed(key, context, clearJson(json)) + JSON_SUFFIX;
    }
    return clearJson(json);
  }

  /** Returns what is stored for the properties of a job. */
  public @Nullable String sealProperties(
      EncryptionContext context, @Nullable String json, @Nullable String key) {
    return json == null ? null : sealJson(context, json, properties ? key : null);
  }

  /** A space more, which changes nothing of the JSON: else it would be taken for an envelope. */
  private static String clearJson(String json) {
    return json.startsWith(JSON_PREFIX) ? " " + json : json;
  }

  /** Returns what is stored for a text. */
  public @Nullable String sealText(EncryptionContext context, @Nullable String text) {
    return text == null ? null : sealText(context, text, currentKey());
  }

  /** Returns what is stored for a text; key: as that of {@link #sealJson}. */
  public String sealText(EncryptionContext context, String text, @Nullable String key) {
    return key != null
        ? TEXT_PREFIX + sealed(key, context, text)
        : text.replace(TEXT_PREFIX, MARK + " :");
  }

  private String sealed(String key, EncryptionContext context, String plain) {
    PayloadCipher with = cipher;
    if (with == null) {
      throw new IllegalStateException("there is no cipher");
    }
    byte[] encrypted = with.encrypt(key, plain.getBytes(UTF_8), context.additionalData());
    return key + ":" + Base64.getEncoder().withoutPadding().encodeToString(encrypted);
  }

  /** Whether stored JSON is an envelope, or what {@link #shownJson} gives for one. */
  public static boolean isSealed(@Nullable String json) {
    return json != null && json.startsWith(JSON_PREFIX);
  }

  /**
   * Returns true for what {@link #shownJson} gives in place of what cannot be decrypted, also if
   * somebody has formatted it anew: it is nobody's payload.
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
   * @throws EncryptedException if this application cannot decrypt it
   */
  public String openJson(EncryptionContext context, String stored) {
    return isSealed(stored)
        ? opened(
            context, stored.substring(JSON_PREFIX.length(), stored.length() - JSON_SUFFIX.length()))
        : stored;
  }

  /**
   * Returns a text as it was before it was stored; an envelope may stand behind something in clear.
   *
   * @throws EncryptedException if this application cannot decrypt it
   */
  public String openText(EncryptionContext context, String stored) {
    int at = stored.indexOf(TEXT_PREFIX);
    return at < 0
        ? stored
        : stored.substring(0, at) + opened(context, stored.substring(at + TEXT_PREFIX.length()));
  }

  /**
   * Returns JSON for somebody who looks at it. Where this application cannot decrypt it, that is
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

  /** Why this application cannot decrypt what {@link #shownJson} gave; null: it can. */
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

  /** Returns a text for somebody who looks at it, or why it cannot be shown. */
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

  /** The key of stored JSON or of a stored text; null: it is in clear. */
  public static @Nullable String keyOfStored(@Nullable String stored) {
    if (stored == null) {
      return null;
    }
    if (isSealed(stored)) {
      return keyOf(stored.substring(JSON_PREFIX.length()));
    }
    int at = stored.indexOf(TEXT_PREFIX);
    return at < 0 ? null : keyOf(stored.substring(at + TEXT_PREFIX.length()));
  }

  private static String keyOf(String envelope) {
    Matcher key = KEY.matcher(envelope);
    return key.lookingAt() ? key.group() : "?";
  }

  private String opened(EncryptionContext context, String envelope) {
    String key = keyOf(envelope);
    if (cipher == null || !cipher.hasKey(key)) {
      throw new EncryptedException(
          context.shown()
              + " is encrypted with key '"
              + key
              + "', which this application does not have; add it to readpast.encryption.key or to"
              + " its key store",
          null);
    }
    try {
      byte[] encrypted = Base64.getDecoder().decode(envelope.substring(key.length() + 1));
      return new String(cipher.decrypt(key, encrypted, context.additionalData()), UTF_8);
    } catch (RuntimeException e) {
      throw new EncryptedException(
          context.shown()
              + " is not what key '"
              + key
              + "' of this application encrypted there: the key is another one of the same id, or"
              + " the row was changed",
          e);
    }
  }
}
