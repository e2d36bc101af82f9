package org.readpast.rest.http;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.model.Suggestion;

/** Reads the fields of a JSON object in a request; error messages name the field. */
public final class Fields {
  private static final int LONGEST = 64;

  private final Map<String, JsonText> members;

  private Fields(Map<String, JsonText> members) {
    this.members = members;
  }

  /** Refuses a value that is not an object, and unknown fields. */
  public static Fields of(JsonText json, String what, List<String> known) {
    if (!json.isObject()) {
      throw RequestException.malformed(
          what
              + (known.isEmpty()
                  ? " must be a JSON object without fields"
                  : " must be a JSON object with fields among " + String.join(", ", known)));
    }
    Map<String, JsonText> members = json.members();
    for (String name : members.keySet()) {
      if (!known.contains(name)) {
        throw RequestException.malformed(
            "field '"
                + RequestException.quote(name)
                + "' is unknown; "
                + (known.isEmpty()
                    ? "this action has no fields; leave it out"
                    : suggestion(name, known) + "known fields: " + String.join(", ", known)));
      }
    }
    return new Fields(members);
  }

  /**
   * Returns a question that suggests the field that may have been meant, or an empty string if
   * there is none.
   */
  static String suggestion(String name, Collection<String> known) {
    // A long name is unlikely to be a typing error, and comparing it takes a long time.
    String meant = name.length() > LONGEST ? null : Suggestion.of(name, known.stream());
    return meant == null ? "" : "did you mean '" + meant + "'? ";
  }

  /** Returns the given fields as strings, including numbers and booleans; null counts as absent. */
  public Map<String, String> texts(List<String> names) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : names) {
      JsonText value = get(name);
      if (value != null) {
        if (value.isObject() || value.isArray()) {
          throw wrong(name, value, "a string, a number, true or false");
        }
        texts.put(name, value.isString() ? value.string() : value.text());
      }
    }
    return texts;
  }

  public boolean has(String name) {
    return members.containsKey(name);
  }

  /** Returns the value of a field, or null if it is absent or null. */
  public @Nullable JsonText get(String name) {
    JsonText value = members.get(name);
    return value == null || value.isNull() ? null : value;
  }

  public @Nullable String text(String name) {
    JsonText value = get(name);
    if (value != null && !value.isString()) {
      throw wrong(name, value, "a string");
    }
    return value == null ? null : value.string();
  }

  public String required(String name, String example) {
    String value = text(name);
    if (value == null) {
      throw RequestException.malformed(name + " is missing; specify " + example);
    }
    return value;
  }

  public @Nullable Integer whole(String name) {
    JsonText value = get(name);
    if (value == null) {
      return null;
    }
    if (!value.text().matches("-?[0-9]{1,9}")) {
      throw wrong(name, value, "a whole number");
    }
    return Integer.valueOf(value.text());
  }

  public @Nullable Boolean flag(String name) {
    JsonText value = get(name);
    if (value != null && !value.text().equals("true") && !value.text().equals("false")) {
      throw wrong(name, value, "true or false");
    }
    return value == null ? null : Boolean.valueOf(value.text());
  }

  /** Returns a field that contains the name of an enum constant. */
  public <E extends Enum<E>> @Nullable E choice(String name, Class<E> of) {
    String value = text(name);
    if (value == null) {
      return null;
    }
    for (E choice : of.getEnumConstants()) {
      if (choice.name().equals(value)) {
        return choice;
      }
    }
    throw RequestException.malformed(
        name
            + " is '"
            + RequestException.quote(value)
            + "'; specify one of "
            + Stream.of(of.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", ")));
  }

  /** Returns an array of ids and names; empty if the field is absent. */
  public List<JsonText> array(String name) {
    JsonText value = get(name);
    if (value != null && !value.isArray()) {
      throw wrong(name, value, "an array");
    }
    return value == null ? List.of() : value.elements();
  }

  public @Nullable Duration duration(String name) {
    String value = text(name);
    if (value == null) {
      return null;
    }
    try {
      return Duration.parse(value);
    } catch (DateTimeParseException e) {
      throw RequestException.malformed(
          name
              + " is '"
              + RequestException.quote(value)
              + "'; specify an ISO-8601 duration such as PT30S, PT5M or P1D");
    }
  }

  public @Nullable Instant moment(String name) {
    JsonText value = get(name);
    if (value != null && value.isString() && value.string().isEmpty()) {
      // In a URL, an empty parameter counts as absent; in JSON, an empty field does not.
      throw wrong(name, value, "a time such as 2026-03-29T00:30:00Z");
    }
    return Parameters.moment(name, text(name));
  }

  public static RequestException wrong(String name, JsonText value, String wanted) {
    return RequestException.malformed(
        name + " is " + RequestException.quote(value.text()) + "; specify " + wanted);
  }
}
