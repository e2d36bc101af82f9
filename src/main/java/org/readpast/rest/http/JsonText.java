package org.readpast.rest.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Holds a JSON value as its original text, so that it is passed on unchanged, with all digits of
 * its numbers.
 *
 * @param text a well-formed string without surrounding spaces
 */
public record JsonText(String text) {

  /** Parses a request body. */
  public static JsonText parse(String document) {
    return parse("the body", document);
  }

  /** Parses a JSON text that is not the whole body; messages call it {@code what}. */
  public static JsonText parse(String what, String document) {
    JsonTokens tokens = new JsonTokens(what, document);
    tokens.space();
    JsonText value = next(document, tokens);
    tokens.end();
    return value;
  }

  public boolean isObject() {
    return text.charAt(0) == '{';
  }

  public boolean isArray() {
    return text.charAt(0) == '[';
  }

  public boolean isString() {
    return text.charAt(0) == '"';
  }

  public boolean isNull() {
    return text.equals("null");
  }

  /** Returns the members of an object in their order; duplicate names are refused. */
  public Map<String, JsonText> members() {
    return members(
        name -> {
          throw RequestException.malformed(
              "'" + RequestException.quote(name) + "' is given twice; specify it once");
        });
  }

  /**
   * Returns the members of a stored object; if several members have the same name, the last one
   * counts, as for handlers.
   */
  public Map<String, JsonText> storedMembers() {
    return members(name -> {});
  }

  private Map<String, JsonText> members(Consumer<String> twice) {
    Map<String, JsonText> members = new LinkedHashMap<>();
    JsonTokens tokens = new JsonTokens(text);
    tokens.expect('{');
    if (tokens.peek() == '}') {
      return members;
    }
    do {
      String name = next(text, tokens).string();
      tokens.expect(':');
      if (members.put(name, next(text, tokens)) != null) {
        twice.accept(name);
      }
    } while (tokens.accept(','));
    return members;
  }

  /** Returns the elements of an array. */
  public List<JsonText> elements() {
    List<JsonText> elements = new ArrayList<>();
    JsonTokens tokens = new JsonTokens(text);
    tokens.expect('[');
    if (tokens.peek() == ']') {
      return elements;
    }
    do {
      elements.add(next(text, tokens));
    } while (tokens.accept(','));
    return elements;
  }

  /** Returns the value of a string. */
  public String string() {
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 1; i < text.length() - 1; i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        plain.append(c);
        continue;
      }
      char escape = text.charAt(++i);
      int known = "bfnrt".indexOf(escape);
      if (escape == 'u') {
        plain.append((char) Integer.parseInt(text, i + 1, i + 5, 16));
        i += 4;
      } else {
        plain.append(known < 0 ? escape : "\b\f\n\r\t".charAt(known));
      }
    }
    return plain.toString();
  }

  private static JsonText next(String document, JsonTokens tokens) {
    int from = tokens.position();
    new JsonScanner(tokens).value();
    return new JsonText(document.substring(from, tokens.position()));
  }
}
