package org.readpast.support;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Records log entries below a logger name, down to DEBUG, until it is closed. */
public final class LogLines implements AutoCloseable {
  private final Logger logger;
  private final Level levelBefore;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          records.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  public LogLines(String name) {
    logger = Logger.getLogger(name);
    levelBefore = logger.getLevel();
    logger.setLevel(Level.FINE);
    logger.addHandler(handler);
  }

  /** Returns the entries of the given level or a higher one, each preceded by its level. */
  public List<String> from(System.Logger.Level lowest) {
    int least = level(lowest).intValue();
    return records.stream()
        .filter(line -> line.getLevel().intValue() >= least)
        .map(LogLines::text)
        .toList();
  }

  /** Returns the number of entries of any level that contain a string. */
  public long count(String text) {
    return records.stream().map(LogLines::text).filter(line -> line.contains(text)).count();
  }

  private static Level level(System.Logger.Level level) {
    return Stream.of(Level.FINE, Level.INFO, Level.WARNING, Level.SEVERE)
        .filter(jul -> jul.intValue() == level.getSeverity())
        .findFirst()
        .orElseThrow();
  }

  private static String text(LogRecord line) {
    Object[] parameters = line.getParameters();
    return line.getLevel()
        + " "
        + (parameters == null || parameters.length == 0
            ? line.getMessage()
            : MessageFormat.format(line.getMessage(), parameters));
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setLevel(levelBefore);
  }
}
