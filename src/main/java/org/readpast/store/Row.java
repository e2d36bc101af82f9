package org.readpast.store;

import java.sql.Timestamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One row of a native query, read by column from 0. */
final class Row {
  private final Object[] values;

  Row(Object[] values) {
    this.values = values;
  }

  boolean isNull(int column) {
    return values[column] == null;
  }

  long number(int column) {
    return ((Number) values[column]).longValue();
  }

  int integer(int column) {
    return ((Number) values[column]).intValue();
  }

  @Nullable Integer integerOrNull(int column) {
    return values[column] == null ? null : integer(column);
  }

  @Nullable Long numberOrNull(int column) {
    return values[column] == null ? null : number(column);
  }

  double decimal(int column) {
    return ((Number) values[column]).doubleValue();
  }

  boolean flag(int column) {
    return Boolean.TRUE.equals(values[column]);
  }

  String text(int column) {
    return values[column].toString();
  }

  @Nullable String textOrNull(int column) {
    return Objects.toString(values[column], null);
  }

  Instant moment(int column) {
    Object value = values[column];
    if (value instanceof Timestamp t) {
      return t.toInstant();
    }
    if (value instanceof OffsetDateTime t) {
      return t.toInstant();
    }
    throw new IllegalStateException("column " + column + " is no timestamp: " + value);
  }

  @Nullable Instant momentOrNull(int column) {
    return values[column] == null ? null : moment(column);
  }
}
