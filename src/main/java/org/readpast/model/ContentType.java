package org.readpast.model;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRejectedException;

/**
 * Represents the content type of a payload that is not JSON, and defines how such a payload is
 * stored: a string unchanged, any other content as Base64.
 *
 * @param name the given content type, with its parameters
 */
public record ContentType(String name) {
  /** Specifies the content type of a payload if no other one is given. */
  public static final String JSON = "application/json";

  private static final String TOKEN = "[A-Za-z0-9!#$&^_.+-]+";
  private static final Pattern SHAPE =
      Pattern.compile("(" + TOKEN + "/" + TOKEN + ")(\\s*;\\s*" + TOKEN + "=[\\x20-\\x7e]+)*");
  private static final Pattern CHARSET =
      Pattern.compile(";\\s*charset=\"?([^\";\\s]+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern TEXT = Pattern.compile("text/.*|application/xml|.*\\+(xml|json)");

  public ContentType {
    Matcher shape = SHAPE.matcher(name);
    if (name.length() > 255 || !shape.matches()) {
      throw new JobRejectedException(
          "content type '"
              + Names.excerpt(name)
              + "' is invalid; specify type/subtype, such as text/csv or image/png, in at"
              + " most 255 characters");
    }
    Matcher charset = CHARSET.matcher(name);
    if (charset.find() && !usable(charset.group(1))) {
      throw new JobRejectedException(
          "content type '"
              + Names.excerpt(name)
              + "' names a charset that this server does not know, or cannot write; use"
              + " UTF-8");
    }
  }

  private static boolean usable(String charset) {
    try {
      // Java can decode some charsets but cannot encode to them.
      return Charset.isSupported(charset) && Charset.forName(charset).canEncode();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Returns the content type for a name; null stands for JSON, as in the database. */
  public static @Nullable ContentType of(@Nullable String name) {
    if (name == null || name.equals(JSON)) {
      return null;
    }
    ContentType type = new ContentType(name);
    return type.essence().equals(JSON) ? null : type;
  }

  /** Returns the name that is shown to users for a stored name. */
  public static String nameOf(@Nullable String stored) {
    return stored == null ? JSON : stored;
  }

  private String essence() {
    return name.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns true if payloads of this type are stored as a string: text/…, XML, and types that end
   * in +xml or +json.
   */
  public boolean text() {
    return TEXT.matcher(essence()).matches();
  }

  /** Returns true if a payload of this type is stored as a string although it is JSON. */
  public static boolean isJsonText(@Nullable String stored) {
    return stored != null && new ContentType(stored).essence().endsWith("+json");
  }

  private Charset charset() {
    Matcher charset = CHARSET.matcher(name);
    return charset.find() ? Charset.forName(charset.group(1)) : StandardCharsets.UTF_8;
  }

  /** Returns the form in which bytes are stored. */
  public String keep(byte[] content) {
    if (!text()) {
      return Base64.getEncoder().encodeToString(content);
    }
    try {
      return charset().newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      throw new JobRejectedException(
          "payload of content type '"
              + name
              + "' is not text in "
              + charset()
              + "; name the right charset, or send it as application/octet-stream",
          e);
    }
  }

  /** Returns the form in which a string is stored. */
  public String keep(String content) {
    return text() ? content : keep(content.getBytes(charset()));
  }

  /** Returns the bytes of a stored payload. */
  public byte[] bytes(String kept) {
    return text() ? kept.getBytes(charset()) : Base64.getDecoder().decode(kept);
  }

  /** Returns a stored payload as a string. */
  public String text(String kept) {
    return text() ? kept : new String(bytes(kept), charset());
  }
}
