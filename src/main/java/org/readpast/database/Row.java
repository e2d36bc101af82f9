package org.readpast.database;

import java.sql.Timestamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Represents one row of a native query, whose columns are read by their numbers from 0. Only
 * packages that execute statements may use this class; see {@link Sql}.
 */
public final class Row {
  private final Object[] values;

  Row(Object[] values) {
    this.values = values;
  }

  public boolean isNull(int column) {
    return values[column] == null;
  }

  public long number(int column) {
    return ((Number) values[column]).longValue();
  }

  public int integer(int column) {
    return ((Number) values[column]).intValue();
  }

  public @Nullable Integer integerOrNull(int column) {
    return values[column] == null ? null : integer(column);
  }

  public @Nullable Long numberOrNull(int column) {
    return values[column] == null ? null : number(column);
  }

  public double decimal(int column) {
    return ((Number) values[column]).doubleValue();
  }

  public boolean flag(int column) {
    return Boolean.TRUE.equals(values[column]);
  }

  public String text(int column) {
    return values[column].toString();
  }

  public @Nullable String textOrNull(int column) {
    return Objects.toString(values[column], null);
  }

  public Instant moment(int column) {
    Object value = values[column];
    if (value instanceof Timestamp t) {
      return t.toInstant();
    }
    if (value instanceof OffsetDateTime t) {
      return t.toInstant();
    }
    throw new IllegalStateException("column " + column + " is not a timestamp: " + value);
  }

  /** Reads a time that is stored as microseconds since 1970. */
  public Instant micros(int column) {
    return Instant.EPOCH.plus(number(column), ChronoUnit.MICROS);
  }

  /** Reads an array of numbers; null is read as an empty array. */
  public List<Long> numbers(int column) {
    return Stream.of(array(column)).map(Long.class::cast).toList();
  }

  /** Reads an array of strings; null is read as an empty array. */
  public List<String> texts(int column) {
    return Stream.of(array(column)).map(Object::toString).toList();
  }

  /** Reads an array of arrays. */
  public List<Row> rows(int column) {
    return Stream.of(array(column)).map(values -> new Row((Object[]) values)).toList();
  }

  private Object[] array(int column) {
    return values[column] == null ? new Object[0] : (Object[]) values[column];
  }

  public @Nullable Instant momentOrNull(int column) {
    return values[column] == null ? null : moment(column);
  }
}
