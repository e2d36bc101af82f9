package org.readpast.rest.http;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.readpast.model.SearchOrder;

/**
 * Encodes the position at which the next page of a list begins. Cursors are opaque to callers, so
 * their format may change.
 */
public final class Cursor {
  private Cursor() {}

  public static String below(long id) {
    return after(SearchOrder.NEWEST, id);
  }

  /** Returns the cursor of a list in the given order. */
  public static String after(SearchOrder order, long id) {
    byte[] bytes = (mark(order) + id).getBytes(StandardCharsets.US_ASCII);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String mark(SearchOrder order) {
    return order == SearchOrder.NEWEST ? "below:" : "above:";
  }

  /** Returns the cursor of a list ordered by time, in microseconds as stored by PostgreSQL. */
  public static String below(Instant moment) {
    return below(ChronoUnit.MICROS.between(Instant.EPOCH, moment));
  }

  public static @Nullable Instant readMoment(@Nullable String cursor) {
    Long micros = read(cursor);
    if (micros == null) {
      return null;
    }
    Instant moment = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    if (!Parameters.keepable(moment)) {
      throw notOurs();
    }
    return moment;
  }

  public static @Nullable Long read(@Nullable String cursor) {
    return read(SearchOrder.NEWEST, cursor);
  }

  /** Returns the position that {@link #after} has encoded for a list in the same order. */
  public static @Nullable Long read(SearchOrder order, @Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    String mark = mark(order);
    try {
      String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
      if (text.startsWith(mark)) {
        return Long.valueOf(text.substring(mark.length()));
      }
    } catch (IllegalArgumentException e) {
      // Strings that are not Base64 are reported below, like all other invalid cursors.
    }
    throw notOurs();
  }

  private static RequestException notOurs() {
    return RequestException.malformed(
        "cursor is not valid; specify the value of 'next' of the previous page of the same list and"
            + " order, or leave it out");
  }
}
