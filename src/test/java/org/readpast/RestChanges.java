package org.readpast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Finds the changes between two OpenAPI descriptions that break clients: requests that were
 * accepted must still be accepted, and responses must keep the members that clients may rely on.
 */
final class RestChanges {
  private final Map<String, Object> before;
  private final Map<String, Object> after;
  private final List<String> breaking = new ArrayList<>();
  private final Set<List<Object>> compared = new HashSet<>();

  private RestChanges(Map<String, Object> before, Map<String, Object> after) {
    this.before = before;
    this.after = after;
  }

  static List<String> breaking(Map<String, Object> before, Map<String, Object> after) {
    RestChanges changes = new RestChanges(before, after);
    map(before.get("paths"))
        .forEach(
            (path, one) -> {
              Map<String, Object> operations = map(one);
              Map<String, Object> now = map(map(after.get("paths")).get(path));
              for (String method : List.of("get", "post", "put", "patch", "delete")) {
                if (operations.containsKey(method)) {
                  changes.operation(method + " " + path, operations, now, method);
                }
              }
            });
    return changes.breaking;
  }

  private void operation(
      String name, Map<String, Object> path, Map<String, Object> pathNow, String method) {
    Map<String, Object> was = map(path.get(method));
    Map<String, Object> is = map(pathNow.get(method));
    if (is.isEmpty()) {
      breaking.add(name + " is gone");
      return;
    }
    parameters(name, parameters(before, path, was), parameters(after, pathNow, is));
    request(name + " request", was.get("requestBody"), is.get("requestBody"));
    Map<String, Object> responses = map(is.get("responses"));
    map(was.get("responses"))
        .forEach(
            (status, response) -> {
              if (!responses.containsKey(status)) {
                breaking.add(name + " no longer responds with " + status);
              }
              content(
                  name + " " + status,
                  resolved(before, response),
                  resolved(after, responses.get(status)),
                  false);
            });
  }

  private void parameters(
      String name, Map<String, Map<String, Object>> was, Map<String, Map<String, Object>> is) {
    was.forEach(
        (parameter, one) -> {
          Map<String, Object> now = is.get(parameter);
          if (now == null) {
            breaking.add(name + " has no parameter " + parameter);
          } else {
            schema(name + " " + parameter, one.get("schema"), now.get("schema"), true);
          }
        });
    is.forEach(
        (parameter, one) -> {
          if (required(one) && !(was.containsKey(parameter) && required(was.get(parameter)))) {
            breaking.add(name + " requires the parameter " + parameter);
          }
        });
  }

  private void request(String where, Object was, Object is) {
    Map<String, Object> now = resolved(after, is);
    if (required(now) && !required(resolved(before, was))) {
      breaking.add(where + " is required");
    }
    content(where, resolved(before, was), now, true);
  }

  private void content(
      String where, Map<String, Object> was, Map<String, Object> is, boolean sent) {
    Map<String, Object> types = map(is.get("content"));
    map(was.get("content"))
        .forEach(
            (type, content) -> {
              if (types.containsKey(type)) {
                Object now = map(types.get(type)).get("schema");
                schema(where, map(content).get("schema"), now, sent);
              } else {
                breaking.add(where + " has no " + type);
              }
            });
  }

  /**
   * @param sent true for data that clients send, false for data that they receive
   */
  private void schema(String where, Object one, Object now, boolean sent) {
    // Each pair is compared only once, because a schema may contain itself.
    if (!compared.add(Arrays.asList(one, now, sent))) {
      return;
    }
    Map<String, Object> was = resolved(before, one);
    Map<String, Object> is = resolved(after, now);
    if (!Objects.equals(was.get("type"), is.get("type"))) {
      breaking.add(where + " was " + was.get("type") + " and is " + is.get("type"));
      return;
    }
    Map<String, Object> properties = map(is.get("properties"));
    map(was.get("properties"))
        .forEach(
            (property, value) -> {
              if (properties.containsKey(property)) {
                schema(where + "." + property, value, properties.get(property), sent);
              } else {
                breaking.add(where + " has no " + property);
              }
            });
    List<?> more = sent ? list(is.get("required")) : list(was.get("required"));
    List<?> less = sent ? list(was.get("required")) : list(is.get("required"));
    more.stream()
        .filter(property -> !less.contains(property))
        .forEach(
            property ->
                breaking.add(where + (sent ? " requires " : " may be without ") + property));
    if (sent
        && is.containsKey("enum")
        && !list(is.get("enum")).containsAll(list(was.get("enum")))) {
      breaking.add(where + " accepts only " + is.get("enum"));
    }
    for (String part : List.of("items", "additionalProperties")) {
      if (was.get(part) instanceof Map) {
        schema(where + "." + part, was.get(part), is.get(part), sent);
      }
    }
    List<?> choices = list(was.get("oneOf"));
    List<?> choicesNow = list(is.get("oneOf"));
    for (int i = 0; i < choices.size(); i++) {
      if (i < choicesNow.size()) {
        schema(where + ".oneOf" + i, choices.get(i), choicesNow.get(i), sent);
      } else {
        breaking.add(where + " has fewer forms");
      }
    }
  }

  private static Map<String, Map<String, Object>> parameters(
      Map<String, Object> root, Map<String, Object> path, Map<String, Object> operation) {
    Map<String, Map<String, Object>> parameters = new LinkedHashMap<>();
    for (Map<String, Object> level : List.of(path, operation)) {
      for (Object one : list(level.get("parameters"))) {
        Map<String, Object> parameter = resolved(root, one);
        parameters.put(parameter.get("name") + " in " + parameter.get("in"), parameter);
      }
    }
    return parameters;
  }

  private static boolean required(Map<String, Object> one) {
    return Boolean.TRUE.equals(one.get("required"));
  }

  private static Map<String, Object> resolved(Map<String, Object> root, Object one) {
    Map<String, Object> found = map(one);
    if (found.get("$ref") instanceof String reference) {
      Object target = root;
      for (String step : reference.substring(2).split("/")) {
        target = map(target).get(step);
      }
      return resolved(root, target);
    }
    return found;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object one) {
    return one == null ? Map.of() : (Map<String, Object>) one;
  }

  private static List<?> list(Object one) {
    return one == null ? List.of() : (List<?>) one;
  }
}
