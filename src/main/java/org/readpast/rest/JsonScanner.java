package org.readpast.rest;

/**
 * Goes over JSON text by RFC 8259, strictly, and looks at nothing but its shape: a number is never
 * computed, and what is nested too deep is refused before it can exhaust a stack.
 */
final class JsonScanner {
  static final int DEEPEST = 200;

  private final String text;
  private int at;

  JsonScanner(String text) {
    this.text = text;
  }

  int position() {
    return at;
  }

  /** Goes over one value. */
  void value(int depth) {
    if (depth > DEEPEST) {
      throw fault("it is nested deeper than " + DEEPEST + " levels");
    }
    switch (peek()) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      case 't' -> word("true");
      case 'f' -> word("false");
      case 'n' -> word("null");
      default -> number();
    }
  }

  /** Goes over a character that must come, and the space around it. */
  void expect(char wanted) {
    space();
    if (peek() != wanted) {
      throw fault("'" + wanted + "' was expected");
    }
    at++;
    space();
  }

  /** Goes over a character if it comes. */
  boolean accept(char wanted) {
    space();
    if (peek() != wanted) {
      return false;
    }
    at++;
    space();
    return true;
  }

  void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  void end() {
    space();
    if (at < text.length()) {
      throw fault("nothing more was expected");
    }
  }

  void string() {
    if (peek() != '"') {
      throw fault("a string was expected");
    }
    at++;
    while (peek() != '"') {
      char c = text.charAt(at++);
      if (c < ' ') {
        at--;
        throw fault("a control character in a string must be escaped");
      }
      if (c == '\\') {
        escape();
      }
    }
    at++;
  }

  private void object(int depth) {
    expect('{');
    if (accept('}')) {
      return;
    }
    do {
      string();
      expect(':');
      value(depth + 1);
    } while (accept(','));
    closing('}');
  }

  private void array(int depth) {
    expect('[');
    if (accept(']')) {
      return;
    }
    do {
      value(depth + 1);
    } while (accept(','));
    closing(']');
  }

  private void closing(char wanted) {
    if (peek() != wanted) {
      throw fault("',' or '" + wanted + "' was expected");
    }
    at++;
  }

  private void escape() {
    char c = peek();
    at++;
    if (c == 'u') {
      for (int i = 0; i < 4; i++) {
        if (Character.digit(peek(), 16) < 0 || peek() > 'f') {
          throw fault("four hexadecimal digits were expected");
        }
        at++;
      }
    } else if ("\"\\/bfnrt".indexOf(c) < 0) {
      at--;
      throw fault("no such escape");
    }
  }

  private void word(String word) {
    if (!text.startsWith(word, at)) {
      throw fault("a value was expected");
    }
    at += word.length();
  }

  private void number() {
    if (peek() == '-') {
      at++;
    }
    if (peek() == '0') {
      at++;
    } else {
      digits();
    }
    if (next('.')) {
      digits();
    }
    if (next('e') || next('E')) {
      if (!next('+')) {
        next('-');
      }
      digits();
    }
  }

  private boolean next(char wanted) {
    boolean comes = at < text.length() && text.charAt(at) == wanted;
    at += comes ? 1 : 0;
    return comes;
  }

  private void digits() {
    int from = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == from) {
      throw fault("a value was expected");
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw fault("it ends too early");
    }
    return text.charAt(at);
  }

  private RequestException fault(String what) {
    String before = text.substring(0, Math.min(at, text.length()));
    long line = before.chars().filter(c -> c == '\n').count() + 1;
    int column = before.length() - before.lastIndexOf('\n');
    return RequestException.malformed(
        "the body is not JSON: " + what + " at line " + line + ", column " + column);
  }
}
