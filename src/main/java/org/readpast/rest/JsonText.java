package org.readpast.rest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One JSON value as the text it came in.
 *
 * @param text without the space around it
 */
record JsonText(String text) {

  /** Reads a whole document. */
  static JsonText parse(String document) {
    JsonScanner scanner = new JsonScanner(document);
    scanner.space();
    int from = scanner.position();
    scanner.value(1);
    int to = scanner.position();
    scanner.end();
    return new JsonText(document.substring(from, to));
  }

  boolean isObject() {
    return text.charAt(0) == '{';
  }

  boolean isArray() {
    return text.charAt(0) == '[';
  }

  boolean isString() {
    return text.charAt(0) == '"';
  }

  boolean isNull() {
    return text.equals("null");
  }

  /** The members of an object, in their order. */
  Map<String, JsonText> members() {
    Map<String, JsonText> members = new LinkedHashMap<>();
    JsonScanner scanner = new JsonScanner(text);
    scanner.expect('{');
    if (scanner.accept('}')) {
      return members;
    }
    do {
      int from = scanner.position();
      scanner.string();
      String name = unescape(text.substring(from, scanner.position()));
      scanner.expect(':');
      if (members.put(name, slice(scanner)) != null) {
        throw RequestException.malformed("'" + RequestException.quote(name) + "' is given twice");
      }
    } while (scanner.accept(','));
    return members;
  }

  /** The elements of an array. */
  List<JsonText> elements() {
    List<JsonText> elements = new ArrayList<>();
    JsonScanner scanner = new JsonScanner(text);
    scanner.expect('[');
    if (scanner.accept(']')) {
      return elements;
    }
    do {
      elements.add(slice(scanner));
    } while (scanner.accept(','));
    return elements;
  }

  /** What a string says. */
  String string() {
    return unescape(text);
  }

  private JsonText slice(JsonScanner scanner) {
    int from = scanner.position();
    scanner.value(1);
    return new JsonText(text.substring(from, scanner.position()));
  }

  private static String unescape(String quoted) {
    StringBuilder plain = new StringBuilder(quoted.length());
    for (int i = 1; i < quoted.length() - 1; i++) {
      char c = quoted.charAt(i);
      if (c != '\\') {
        plain.append(c);
        continue;
      }
      char escape = quoted.charAt(++i);
      int known = "bfnrt".indexOf(escape);
      if (escape == 'u') {
        plain.append((char) Integer.parseInt(quoted, i + 1, i + 5, 16));
        i += 4;
      } else {
        plain.append(known < 0 ? escape : "\b\f\n\r\t".charAt(known));
      }
    }
    return plain.toString();
  }
}
