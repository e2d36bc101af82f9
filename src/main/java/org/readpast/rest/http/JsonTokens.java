package org.readpast.rest.http;

/** Reads the tokens of a JSON text strictly by RFC 8259; numbers are never converted. */
final class JsonTokens {
  private final String what;
  private final String text;
  private int at;

  JsonTokens(String text) {
    this("the body", text);
  }

  /**
   * @param what the name of the text in messages
   */
  JsonTokens(String what, String text) {
    this.what = what;
    this.text = text;
  }

  int position() {
    return at;
  }

  char peek() {
    if (at >= text.length()) {
      throw fault("unexpected end");
    }
    return text.charAt(at);
  }

  void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  /** Skips a character and the spaces around it, if it comes next. */
  boolean accept(char wanted) {
    space();
    if (peek() != wanted) {
      return false;
    }
    at++;
    space();
    return true;
  }

  /** Skips a character, which must come next, and the spaces around it. */
  void expect(char wanted) {
    if (!accept(wanted)) {
      throw fault("'" + wanted + "' was expected");
    }
  }

  /** Skips the closing character of a value, but not the spaces after it. */
  void close(char wanted) {
    if (peek() != wanted) {
      throw fault("',' or '" + wanted + "' was expected");
    }
    at++;
  }

  void end() {
    space();
    if (at < text.length()) {
      throw fault("the end was expected");
    }
  }

  void word(String word) {
    if (!text.startsWith(word, at)) {
      throw fault("a value was expected");
    }
    at += word.length();
  }

  void string() {
    if (peek() != '"') {
      throw fault("a string was expected");
    }
    at++;
    while (peek() != '"') {
      if (peek() < ' ') {
        throw fault("a control character in a string must be escaped");
      }
      if (text.charAt(at++) == '\\') {
        escape();
      }
    }
    at++;
  }

  void number() {
    next("-");
    if (!next("0")) {
      digits();
    }
    if (next(".")) {
      digits();
    }
    if (next("eE")) {
      next("+-");
      digits();
    }
  }

  RequestException fault(String fault) {
    String before = text.substring(0, Math.min(at, text.length()));
    long line = before.chars().filter(c -> c == '\n').count() + 1;
    int column = before.length() - before.lastIndexOf('\n');
    return RequestException.malformed(
        what + " is not JSON: " + fault + " at line " + line + ", column " + column);
  }

  private void escape() {
    if ("\"\\/bfnrtu".indexOf(peek()) < 0) {
      throw fault("invalid escape sequence");
    }
    if (text.charAt(at++) == 'u') {
      for (int i = 0; i < 4; i++) {
        if ("0123456789abcdefABCDEF".indexOf(peek()) < 0) {
          throw fault("four hexadecimal digits were expected");
        }
        at++;
      }
    }
  }

  private boolean next(String oneOf) {
    boolean comes = at < text.length() && oneOf.indexOf(text.charAt(at)) >= 0;
    at += comes ? 1 : 0;
    return comes;
  }

  private void digits() {
    if (!next("0123456789")) {
      throw fault("a value was expected");
    }
    while (next("0123456789")) {
      // The condition of the loop consumes one character.
    }
  }
}
