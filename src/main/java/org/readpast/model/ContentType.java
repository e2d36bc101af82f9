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
 * The content type of a payload that is no JSON, and how such a payload is kept: a text as itself,
 * anything else as Base64.
 *
 * @param name as it came, with its parameters
 */
public record ContentType(String name) {
  /** What a payload is unless something else is said. */
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
              + "' is none; give type/subtype, such as text/csv or image/png, in at most 255"
              + " characters");
    }
    Matcher charset = CHARSET.matcher(name);
    if (charset.find() && !usable(charset.group(1))) {
      throw new JobRejectedException(
          "content type '"
              + Names.excerpt(name)
              + "' names a charset that is unknown here, or can only be read; take UTF-8");
    }
  }

  private static boolean usable(String charset) {
    try {
      // Some can only be read.
      return Charset.isSupported(charset) && Charset.forName(charset).canEncode();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Null stands for JSON, as it does in the tables. */
  public static @Nullable ContentType of(@Nullable String name) {
    if (name == null || name.equals(JSON)) {
      return null;
    }
    ContentType type = new ContentType(name);
    return type.essence().equals(JSON) ? null : type;
  }

  /** The name to show. */
  public static String nameOf(@Nullable String stored) {
    return stored == null ? JSON : stored;
  }

  private String essence() {
    return name.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }

  /**
   * Whether payloads of this type are kept as a text: text/…, XML, and what ends in +xml, +json.
   */
  public boolean text() {
    return TEXT.matcher(essence()).matches();
  }

  /** Whether a payload of this type, kept as a text, is JSON all the same. */
  public static boolean isJsonText(@Nullable String stored) {
    return stored != null && new ContentType(stored).essence().endsWith("+json");
  }

  private Charset charset() {
    Matcher charset = CHARSET.matcher(name);
    return charset.find() ? Charset.forName(charset.group(1)) : StandardCharsets.UTF_8;
  }

  /** What is kept of bytes. */
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
              + "; name its charset, or send it as application/octet-stream",
          e);
    }
  }

  /** What is kept of a text. */
  public String keep(String content) {
    return text() ? content : keep(content.getBytes(charset()));
  }

  /** The bytes of what was kept. */
  public byte[] bytes(String kept) {
    return text() ? kept.getBytes(charset()) : Base64.getDecoder().decode(kept);
  }

  /** What was kept, as a text. */
  public String text(String kept) {
    return text() ? kept : new String(bytes(kept), charset());
  }
}
