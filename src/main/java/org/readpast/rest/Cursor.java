package org.readpast.rest;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Where the next page of a list begins; opaque to callers, so that it may change. */
final class Cursor {
  private static final String MARK = "below:";

  private Cursor() {}

  static String below(long id) {
    byte[] bytes = (MARK + id).getBytes(StandardCharsets.US_ASCII);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Of a list by time, to the microsecond that PostgreSQL keeps. */
  static String below(Instant moment) {
    return below(ChronoUnit.MICROS.between(Instant.EPOCH, moment));
  }

  static @Nullable Instant readMoment(@Nullable String cursor) {
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

  static @Nullable Long read(@Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    try {
      String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
      if (text.startsWith(MARK)) {
        return Long.valueOf(text.substring(MARK.length()));
      }
    } catch (IllegalArgumentException e) {
      // Said below, as for every other text that is no cursor.
    }
    throw notOurs();
  }

  private static RequestException notOurs() {
    return RequestException.malformed(
        "cursor is not one of ours; give the value of 'next' of the page before, or none");
  }
}
