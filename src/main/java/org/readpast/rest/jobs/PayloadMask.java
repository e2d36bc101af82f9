package org.readpast.rest.jobs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.readpast.model.MaskedFields;
import org.readpast.rest.http.JsonText;
import org.readpast.rest.http.RequestException;

/**
 * Replaces values in JSON that a caller is not allowed to see with {@code "***"}, and leaves all
 * other characters unchanged. The JSON is well-formed, because PostgreSQL stores no other. The JSON
 * may be nested deeper than the API accepts, so this class uses no recursion.
 */
public final class PayloadMask {
  /** Masks nothing; for callers that may see all fields. */
  public static final PayloadMask NONE = new PayloadMask(MaskedFields.NONE);

  private static final String STARS = "\"***\"";

  private final MaskedFields fields;
  private final Set<String> hit = new TreeSet<>();

  PayloadMask(MaskedFields fields) {
    this.fields = fields;
  }

  /** Returns the configured names and paths that have been masked so far. */
  Set<String> hit() {
    return hit;
  }

  /** Returns the JSON with the masked values replaced. */
  public String mask(String json) {
    if (fields.none()) {
      return json;
    }
    StringBuilder out = new StringBuilder(json.length());
    int copied = 0;
    List<String> path = new ArrayList<>();
    Deque<Integer> depths = new ArrayDeque<>();
    for (int at = 0; at < json.length(); ) {
      switch (json.charAt(at)) {
        case '{', '[' -> {
          depths.push(path.size());
          at++;
        }
        case '}', ']' -> {
          cut(path, depths.pop());
          at++;
        }
        case '"' -> {
          int end = endOfString(json, at);
          int colon = afterSpace(json, end);
          if (colon == json.length() || json.charAt(colon) != ':') {
            at = end;
            continue;
          }
          cut(path, depths.element());
          path.add(new JsonText(json.substring(at, end)).string());
          at = afterSpace(json, colon + 1);
          String entry = fields.covering(path);
          if (entry != null) {
            hit.add(entry);
            out.append(json, copied, at).append(STARS);
            at = endOfValue(json, at);
            copied = at;
          }
        }
        default -> at++;
      }
    }
    return out.append(json, copied, json.length()).toString();
  }

  /** Masks a string that should be JSON; if it is not JSON, it is hidden completely. */
  String maskText(String text) {
    if (fields.none()) {
      return text;
    }
    try {
      return mask(JsonText.parse(text).text());
    } catch (RequestException e) {
      hit.add("*");
      return "***";
    }
  }

  private static void cut(List<String> path, int depth) {
    path.subList(depth, path.size()).clear();
  }

  private static int afterSpace(String json, int from) {
    int at = from;
    while (at < json.length() && " \t\r\n".indexOf(json.charAt(at)) >= 0) {
      at++;
    }
    return at;
  }

  private static int endOfString(String json, int from) {
    int at = from + 1;
    while (json.charAt(at) != '"') {
      at += json.charAt(at) == '\\' ? 2 : 1;
    }
    return at + 1;
  }

  private static int endOfValue(String json, int from) {
    char first = json.charAt(from);
    int at = from;
    if (first != '"' && first != '{' && first != '[') {
      while (at < json.length() && " \t\r\n,]}".indexOf(json.charAt(at)) < 0) {
        at++;
      }
      return at;
    }
    int depth = 0;
    do {
      switch (json.charAt(at)) {
        case '"' -> at = endOfString(json, at) - 1;
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      at++;
    } while (depth > 0);
    return at;
  }
}
