package org.readpast.runtime;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobEvent;
import org.readpast.database.Transactions;
import org.readpast.enqueue.Batches;
import org.readpast.store.JobEnd;

/**
 * Completes the end of a job with data that only observers need: the name of its batch, which no
 * claim reads, and its properties as a map. This class is not thread-safe.
 */
public final class JobEventReader implements Function<JobEnd, JobEvent> {
  private static final Logger LOG = System.getLogger(JobEventReader.class.getName());
  private static final int MOST_NAMES = 100;

  private final Transactions transactions;
  private final Function<@Nullable String, Map<String, String>> propertyReader;
  // Caches the names of batches: they never change, and consecutive events usually belong to the
  // same batch.
  private final Map<Long, String> names =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
          return size() > MOST_NAMES;
        }
      };

  /**
   * Creates a reader.
   *
   * @param propertyReader reads a JSON object
   */
  public JobEventReader(
      Transactions transactions, Function<@Nullable String, Map<String, String>> propertyReader) {
    this.transactions = transactions;
    this.propertyReader = propertyReader;
  }

  @Override
  public JobEvent apply(JobEnd end) {
    Long batch = end.batch();
    return EndedJobEvent.of(
        end, batch == null ? null : name(batch), propertyReader.apply(end.properties()));
  }

  private @Nullable String name(long batch) {
    String known = names.get(batch);
    if (known != null) {
      return known;
    }
    try {
      String name = transactions.autoCommit(() -> new Batches(transactions).name(batch));
      if (name != null) {
        names.put(batch, name);
      }
      return name;
    } catch (RuntimeException e) {
      // If the name cannot be read, the event is delivered without it.
      LOG.log(Level.DEBUG, "the name of a batch could not be read", e);
      return null;
    }
  }
}
