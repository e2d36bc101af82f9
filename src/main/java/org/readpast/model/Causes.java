package org.readpast.model;

import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists the causes of an exception. */
public final class Causes {
  // The limit stops at exceptions whose causes form a cycle.
  private static final int DEEPEST = 50;

  private Causes() {}

  /** Returns the exception and its causes, the outermost first; empty for null. */
  public static Stream<Throwable> of(@Nullable Throwable thrown) {
    return Stream.<Throwable>iterate(thrown, Objects::nonNull, Throwable::getCause).limit(DEEPEST);
  }

  /** Returns the innermost cause; the exception itself if it has no cause. */
  public static Throwable rootOf(Throwable thrown) {
    return of(thrown).reduce(thrown, (outer, inner) -> inner);
  }
}
