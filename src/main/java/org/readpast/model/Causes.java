package org.readpast.model;

import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an exception was caused by. */
public final class Causes {
  // Somebody may have tied a loop.
  private static final int DEEPEST = 50;

  private Causes() {}

  /** The exception and its causes, from the outside in; none of null. */
  public static Stream<Throwable> of(@Nullable Throwable thrown) {
    return Stream.<Throwable>iterate(thrown, Objects::nonNull, Throwable::getCause).limit(DEEPEST);
  }
}
