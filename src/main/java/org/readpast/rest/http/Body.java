package org.readpast.rest.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.readpast.admin.Limits;

/** Reads the bytes of a request body and counts them while reading. */
public final class Body {
  // The rest of a refused request is read up to this size: some clients read the response only
  // after sending the whole request.
  private static final int DRAINED = 8 << 20;

  private static final int SMALL = 1 << 20;

  private final byte[] bytes;

  private Body(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Reads a body that contains no payloads. */
  public static Body small(InputStream in) {
    return read(in, SMALL);
  }

  /**
   * Reads the body of an action without fields: an empty body or an empty object. Fields are
   * refused, because ignoring them would mislead the client.
   */
  public static Body none(InputStream in) {
    Body body = small(in);
    if (body.bytes.length > 0) {
      Fields.of(body.json(), "the body, which is optional,", List.of());
    }
    return body;
  }

  /** Reads a body that is one object, with one or a few payloads. */
  public static Body object(InputStream in, Limits limits) {
    return read(in, limits.objectBytes());
  }

  /**
   * Reads a body that is one object or an array of many objects. If the body is not an array, it is
   * limited to the size of one object.
   */
  public static Body objects(InputStream in, Limits limits) {
    try {
      byte[] head = in.readNBytes(limits.objectBytes());
      InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), in);
      return read(whole, isArray(head) ? limits.requestBytes() : limits.objectBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isArray(byte[] head) {
    int at = 0;
    while (at < head.length && Character.isWhitespace(head[at])) {
      at++;
    }
    return at < head.length && head[at] == '[';
  }

  private static Body read(InputStream in, int limit) {
    try {
      byte[] bytes = in.readNBytes(limit + 1);
      if (bytes.length > limit) {
        in.skip(DRAINED);
        throw RequestException.tooLarge(
            "the request is larger than " + limit + " bytes; send less data in one request");
      }
      return new Body(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public byte[] bytes() {
    return bytes;
  }

  public JsonText json() {
    if (bytes.length == 0) {
      throw RequestException.malformed("the body is empty; send JSON");
    }
    try {
      return JsonText.parse(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      throw RequestException.malformed("the body is not UTF-8; send JSON in UTF-8");
    }
  }
}
