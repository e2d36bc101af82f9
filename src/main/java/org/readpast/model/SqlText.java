package org.readpast.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Represents one SQL statement from a user, parsed as far as necessary to find where quotes,
 * comments and brackets end. A parsed statement can be embedded in brackets in another statement:
 * it cannot close the brackets, and no second statement can follow.
 */
public final class SqlText {
  private static final int LONGEST = 100_000;
  // PostgreSQL treats every character beyond ASCII as a letter.
  private static final Pattern DOLLAR =
      Pattern.compile("\\$(?:[A-Za-z_\\x{80}-\\x{10FFFF}][A-Za-z0-9_\\x{80}-\\x{10FFFF}]*)?\\$");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final String text;
  private final StringBuilder plain = new StringBuilder();
  private final StringBuilder literal = new StringBuilder();
  private final StringBuilder prepared = new StringBuilder();
  private final List<String> parameters = new ArrayList<>();
  private final Deque<Character> open = new ArrayDeque<>();
  private int at;
  private boolean ended;
  // True if a string with escapes was read last, apart from whitespace and comments. Such a string
  // may continue on another line.
  private boolean afterEscapes;
  private String firstWord = "";

  private SqlText(String text) {
    this.text = text;
  }

  /**
   * Parses a statement.
   *
   * @throws SqlRefusedException if the text is not a statement, or contains more than one
   */
  public static SqlText of(String text) {
    if (text.isBlank()) {
      throw new SqlRefusedException("the SQL is empty; specify one statement");
    }
    if (text.length() > LONGEST || !Names.storable(text)) {
      throw new SqlRefusedException(
          "the SQL has "
              + text.length()
              + " characters; specify at most "
              + LONGEST
              + ", without NUL or lone surrogates");
    }
    SqlText read = new SqlText(text);
    read.read();
    return read;
  }

  /** Returns the statement itself, without a semicolon at its end. */
  public String plain() {
    return plain.toString();
  }

  /** Returns the statement in a form in which JDBC finds no parameters. */
  public String literal() {
    return literal.toString();
  }

  /** Returns the statement with a {@code ?} for each of its {@code :parameters}. */
  public String prepared() {
    return prepared.toString();
  }

  /** Returns the first word of the statement, in lower case. */
  public String firstWord() {
    return firstWord;
  }

  /** Returns the names of the parameters, one for each {@code ?} in {@link #prepared()}. */
  public List<String> parameters() {
    return List.copyOf(parameters);
  }

  private void read() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (Character.isWhitespace(c)) {
        copy(at + 1);
      } else if (text.startsWith("--", at)) {
        copy(lineEnd());
      } else if (text.startsWith("/*", at)) {
        copy(commentEnd());
      } else {
        token(c);
      }
    }
    if (!open.isEmpty()) {
      throw refused("a bracket is opened but not closed; close it");
    }
  }

  private void token(char c) {
    if (ended) {
      throw refused("text follows the ';'; specify one statement");
    }
    if (firstWord.isEmpty()) {
      Matcher word = NAME.matcher(text).region(at, text.length());
      firstWord =
          word.lookingAt() ? word.group().toLowerCase(Locale.ROOT) : text.substring(at, at + 1);
    }
    Matcher dollar = DOLLAR.matcher(text).region(at, text.length());
    boolean escapes = c == '\'' && (afterEscapes || escapes());
    afterEscapes = escapes;
    switch (c) {
      case ';' -> {
        ended = true;
        at++;
      }
      case '\'' -> copy(quoteEnd('\'', escapes));
      case '"' -> copy(quoteEnd('"', false));
      case '(', '[' -> {
        open.push(c);
        copy(at + 1);
      }
      case ')', ']' -> {
        if (open.isEmpty() || open.pop() != (c == ')' ? '(' : '[')) {
          throw refused("a bracket is closed but not opened; open it");
        }
        copy(at + 1);
      }
      // JDBC would take a single question mark for a parameter.
      case '?' -> {
        plain.append('?');
        literal.append("??");
        prepared.append("??");
        at++;
      }
      case ':' -> colon();
      case '$' -> copy(dollar.lookingAt() && !insideName() ? dollarEnd(dollar.group()) : at + 1);
      default -> copy(at + 1);
    }
  }

  private void colon() {
    if (text.startsWith("::", at) || text.startsWith(":=", at)) {
      copy(at + 2);
      return;
    }
    Matcher name = NAME.matcher(text).region(at + 1, text.length());
    if (!name.lookingAt()) {
      copy(at + 1);
      return;
    }
    plain.append(text, at, name.end());
    literal.append(text, at, name.end());
    prepared.append('?');
    parameters.add(name.group());
    at = name.end();
  }

  private void copy(int end) {
    plain.append(text, at, end);
    literal.append(text, at, end);
    prepared.append(text, at, end);
    at = end;
  }

  /** Returns true if the quote at this position has backslash escapes: {@code E'...'}. */
  private boolean escapes() {
    if (at == 0 || Character.toLowerCase(text.charAt(at - 1)) != 'e') {
      return false;
    }
    if (at > 1 && text.charAt(at - 2) >= '0' && text.charAt(at - 2) <= '9') {
      // Versions of PostgreSQL interpret 1e'...' differently.
      throw refused("a quote directly follows a number; put a space between them");
    }
    return at == 1 || !partOfName(text.charAt(at - 2));
  }

  /** Returns the position at which a line comment ends; a CR also ends the line. */
  private int lineEnd() {
    int end = at;
    while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
      end++;
    }
    return end;
  }

  private int quoteEnd(char quote, boolean escapes) {
    for (int i = at + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && escapes) {
        i++;
      } else if (c == quote && i + 1 < text.length() && text.charAt(i + 1) == quote) {
        i++;
      } else if (c == quote) {
        return i + 1;
      }
    }
    throw refused("a quoted string or name is not closed; close it");
  }

  private int dollarEnd(String tag) {
    int end = text.indexOf(tag, at + tag.length());
    if (end < 0) {
      throw refused("the quote " + tag + " is not closed; close it");
    }
    return end + tag.length();
  }

  private int commentEnd() {
    int depth = 0;
    for (int i = at; i < text.length() - 1; i++) {
      if (text.startsWith("/*", i)) {
        depth++;
        i++;
      } else if (text.startsWith("*/", i)) {
        depth--;
        i++;
        if (depth == 0) {
          return i + 1;
        }
      }
    }
    throw refused("a comment is not closed; close it");
  }

  private boolean insideName() {
    return at > 0 && partOfName(text.charAt(at - 1));
  }

  private static boolean partOfName(char c) {
    return c > 127 || Character.isLetterOrDigit(c) || c == '_' || c == '$';
  }

  private static SqlRefusedException refused(String why) {
    return new SqlRefusedException("the SQL cannot be parsed: " + why);
  }
}
