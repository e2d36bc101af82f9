package org.readpast.rest.http;

/**
 * Skips complete JSON values. A value that is nested too deeply is refused before it can cause a
 * stack overflow.
 */
final class JsonScanner {
  static final int DEEPEST = 200;

  private final JsonTokens tokens;

  JsonScanner(JsonTokens tokens) {
    this.tokens = tokens;
  }

  void value() {
    value(1);
  }

  private void value(int depth) {
    if (depth > DEEPEST) {
      throw tokens.fault("it is nested deeper than " + DEEPEST + " levels");
    }
    switch (tokens.peek()) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> tokens.string();
      case 't' -> tokens.word("true");
      case 'f' -> tokens.word("false");
      case 'n' -> tokens.word("null");
      default -> tokens.number();
    }
  }

  private void object(int depth) {
    tokens.expect('{');
    if (tokens.peek() != '}') {
      do {
        tokens.string();
        tokens.expect(':');
        value(depth + 1);
      } while (tokens.accept(','));
    }
    tokens.close('}');
  }

  private void array(int depth) {
    tokens.expect('[');
    if (tokens.peek() != ']') {
      do {
        value(depth + 1);
      } while (tokens.accept(','));
    }
    tokens.close(']');
  }
}
