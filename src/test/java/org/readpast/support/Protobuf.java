package org.readpast.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Represents a Protocol Buffers message, accessed by the numbers of its fields, for reading what
 * servers send.
 */
public final class Protobuf {
  private final Map<Integer, List<Object>> fields = new TreeMap<>();

  private Protobuf(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      long tag = varint(bytes);
      Object value =
          switch ((int) (tag & 7)) {
            case 0 -> varint(bytes);
            case 1 -> bytes.getLong();
            case 5 -> (long) bytes.getInt();
            case 2 -> {
              int length = (int) varint(bytes);
              ByteBuffer part = bytes.slice(bytes.position(), length);
              bytes.position(bytes.position() + length);
              yield part.order(ByteOrder.LITTLE_ENDIAN);
            }
            default -> throw new IllegalArgumentException("wire type " + (tag & 7));
          };
      fields.computeIfAbsent((int) (tag >> 3), number -> new ArrayList<>()).add(value);
    }
  }

  public static Protobuf of(byte[] bytes) {
    return new Protobuf(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }

  private static long varint(ByteBuffer bytes) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = bytes.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  private List<Object> all(int number) {
    return fields.getOrDefault(number, List.of());
  }

  public boolean has(int number) {
    return fields.containsKey(number);
  }

  public List<Protobuf> messages(int number) {
    return all(number).stream()
        .map(part -> new Protobuf(((ByteBuffer) part).duplicate().order(ByteOrder.LITTLE_ENDIAN)))
        .toList();
  }

  public String text(int number) {
    return UTF_8.decode(((ByteBuffer) all(number).get(0)).duplicate()).toString();
  }

  public String hex(int number) {
    if (!has(number)) {
      return "";
    }
    ByteBuffer part = ((ByteBuffer) all(number).get(0)).duplicate();
    byte[] bytes = new byte[part.remaining()];
    part.get(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Returns an integer field, or 0 if it is absent. */
  public long number(int number) {
    return has(number) ? (long) all(number).get(0) : 0;
  }

  public double decimal(int number) {
    return Double.longBitsToDouble(number(number));
  }
}
