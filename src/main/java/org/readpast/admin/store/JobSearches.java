package org.readpast.admin.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.SearchSql;
import org.readpast.admin.sql.SearchSql.Direction;
import org.readpast.admin.sql.SearchSql.Way;
import org.readpast.api.JobState;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.EncryptionContext;
import org.readpast.model.JobSearch;
import org.readpast.model.QueueScope;
import org.readpast.model.SearchOrder;

/**
 * Searches for jobs, by default from the newest to the oldest, in the current transaction and
 * within a limited time. Each call continues where the previous one stopped.
 */
public final class JobSearches {
  /** Identifies the position at which a new search from the newest to the oldest job starts. */
  public static final long NEWEST = Long.MAX_VALUE;

  private static final long OLDEST = Long.MIN_VALUE;

  private static final Duration LONGEST = Duration.ofMillis(150);
  // The timeout of one statement; no statement of this size takes as long, unless payloads are
  // huge.
  private static final Duration LONGEST_STATEMENT = Duration.ofSeconds(10);
  private static final int FIRST_PIECE = 2_000;
  private static final int SMALLEST_PIECE = 500;
  // Payloads are up to 500 times as large as all other columns of a job.
  private static final int FIRST_PIECE_OF_PAYLOADS = 200;
  private static final int SMALLEST_PIECE_OF_PAYLOADS = 20;
  private static final int LARGEST_SECTION = 50_000;
  private static final List<JobState> RARE =
      List.of(JobState.DISCARDED, JobState.CANCELLED, JobState.EXPIRED, JobState.RUNNING);
  // If a search matches at most this many ids, they are passed to the statement, which then need
  // not search all jobs.
  static final int FEW = 10_000;

  private final Transactions transactions;
  private final QueueScope seen;
  private final Duration longest;

  /** Creates an instance for the visible queues {@code seen}. */
  public JobSearches(Transactions transactions, QueueScope seen) {
    this(transactions, seen, LONGEST);
  }

  /** Creates an instance; each call takes at most {@code longest}. */
  JobSearches(Transactions transactions, QueueScope seen, Duration longest) {
    this.transactions = transactions;
    this.seen = seen;
    this.longest = longest;
  }

  /**
   * Holds the jobs that one call has found.
   *
   * @param found the found jobs, in the order of the search
   * @param next the id after which the search continues, or null if there are no more jobs
   * @param searched the number of jobs examined, or the number of jobs found if some queues are
   *     hidden
   */
  public record Piece<T>(List<T> found, @Nullable Long next, long searched) {}

  /**
   * Returns matching jobs, without payloads, up to a maximum number.
   *
   * @param after the id after which to continue, or null to start a new search
   */
  public Piece<JobView> page(JobSearch search, SearchOrder order, @Nullable Long after, int most) {
    boolean newest = order == SearchOrder.NEWEST;
    Direction direction = newest ? Direction.BACKWARD : Direction.FORWARD;
    return look(
        search,
        direction,
        after != null ? after : newest ? NEWEST : OLDEST,
        most,
        longest,
        way -> SearchSql.matching(way, direction),
        row -> JobView.withoutPayload(row, transactions.encryption()),
        JobView::id);
  }

  /** Returns the ids of matching jobs, up to a maximum number. */
  public Piece<Long> ids(JobSearch search, long below, int most) {
    return look(
        search,
        Direction.BACKWARD,
        below,
        most,
        longest,
        SearchSql::ids,
        row -> row.number(0),
        id -> id);
  }

  /**
   * Holds the number of matching jobs.
   *
   * @param complete false if there may be more matching jobs
   */
  public record Count(long jobs, boolean complete) {}

  /** Counts matching jobs by state, within a limited time. */
  public Map<JobState, Count> count(JobSearch search) {
    JobState only = search.state();
    Map<JobState, Count> counts = count(search, only == null ? longest.dividedBy(3) : longest);
    if (only == null) {
      // Users often search for jobs in rare states, and the first count may miss them, so an index
      // of the state is used to count them again.
      for (JobState state : RARE) {
        Count among = counts.get(state);
        if (among == null || !among.complete()) {
          Count own = count(search.and(null, null, state), longest.dividedBy(10)).get(state);
          if (own != null && (among == null || own.complete() || own.jobs() > among.jobs())) {
            counts.put(state, own);
          }
        }
      }
    }
    return counts;
  }

  /**
   * Counts the values of the newest matching jobs, within a limited time.
   *
   * @param nodes true to include the names of nodes
   */
  public JobFacets facets(JobSearch search, boolean nodes) {
    Piece<JobFacets.Part> counted =
        look(
            search,
            Direction.BACKWARD,
            NEWEST,
            Integer.MAX_VALUE,
            longest,
            SearchSql::facets,
            JobFacets.Part::read,
            part -> 0L);
    return JobFacets.of(counted.found(), counted.next() == null, nodes);
  }

  private Map<JobState, Count> count(JobSearch search, Duration time) {
    Map<JobState, Long> states = new EnumMap<>(JobState.class);
    Piece<Map.Entry<JobState, Long>> counted =
        look(
            search,
            Direction.BACKWARD,
            NEWEST,
            Integer.MAX_VALUE,
            time,
            SearchSql::counted,
            row -> Map.entry(JobState.valueOf(row.text(0)), row.number(1)),
            entry -> 0L);
    counted.found().forEach(one -> states.merge(one.getKey(), one.getValue(), Long::sum));
    Map<JobState, Count> counts = new EnumMap<>(JobState.class);
    for (JobState state : JobState.values()) {
      counts.put(state, new Count(states.getOrDefault(state, 0L), counted.next() == null));
    }
    return counts;
  }

  /**
   * Returns true if a search compares payloads or failures while some of them are encrypted, and so
   * cannot be found.
   */
  public boolean overlooksEncrypted(JobSearch search) {
    return (search.error() != null || !search.payload().isEmpty() || !search.properties().isEmpty())
        && !new UsedKeys(transactions).all().isEmpty();
  }

  /** Returns the last failure of each job that has failed. */
  public Map<Long, String> lastFailures(List<JobView> jobs) {
    Map<Long, String> failures = new HashMap<>();
    Sql.rows(
        transactions.entityManager(),
        SearchSql.lastFailures(),
        row ->
            failures.put(
                row.number(0),
                Objects.requireNonNull(
                    transactions
                        .encryption()
                        .shownText(EncryptionContext.failure(row.number(0)), row.text(1)))),
        (Object) jobs.stream().map(JobView::id).toArray(Long[]::new));
    return failures;
  }

  private record Path(Way way, boolean live, boolean ended, @Nullable String needs) {}

  private record Reach(@Nullable Long last, long jobs) {}

  private <T> Piece<T> look(
      JobSearch search,
      Direction direction,
      long start,
      int most,
      Duration time,
      Function<Way, String> statement,
      Function<Row, T> read,
      Function<T, Long> id) {
    Path path = path(search);
    Object[] filters = filters(search);
    List<T> found = new ArrayList<>();
    long after = start;
    long searched = 0;
    boolean payloads = !search.payload().isEmpty();
    int size = payloads ? FIRST_PIECE_OF_PAYLOADS : FIRST_PIECE;
    int smallest = payloads ? SMALLEST_PIECE_OF_PAYLOADS : SMALLEST_PIECE;
    long begun = System.nanoTime();
    while (true) {
      long sectionBegun = System.nanoTime();
      Reach reach = reach(path, direction, after, size);
      if (reach.last() == null) {
        return new Piece<>(found, null, reported(searched, found.size()));
      }
      Object[] parameters = new Object[6 + filters.length];
      parameters[0] = after;
      parameters[1] = path.live();
      parameters[2] = path.ended();
      parameters[3] = path.needs();
      parameters[4] = most == Integer.MAX_VALUE ? most : most + 1 - found.size();
      parameters[5] = reach.last();
      System.arraycopy(filters, 0, parameters, 6, filters.length);
      found.addAll(
          Sql.rowsWithin(
              LONGEST_STATEMENT,
              transactions.entityManager(),
              statement.apply(path.way()),
              read,
              parameters));
      if (found.size() > most) {
        List<T> page = List.copyOf(found.subList(0, most));
        return new Piece<>(
            page, id.apply(page.get(most - 1)), reported(searched + reach.jobs(), most));
      }
      searched += reach.jobs();
      after = reach.last();
      if (reach.jobs() < size) {
        return new Piece<>(found, null, reported(searched, found.size()));
      }
      long now = System.nanoTime();
      long left = time.toNanos() - (now - begun);
      if (left <= 0) {
        return new Piece<>(found, after, reported(searched, found.size()));
      }
      // The next section is as large as the remaining time allows at the current speed, but at most
      // four times as large as the previous one.
      double perJob = Math.max(1.0, now - sectionBegun) / size;
      size =
          (int) Math.max(smallest, Math.min(Math.min(4.0 * size, LARGEST_SECTION), left / perJob));
    }
  }

  /**
   * Returns the number of jobs to report as examined: the actual number would reveal how many jobs
   * hidden queues have.
   */
  private long reported(long searched, int found) {
    return seen.isAll() ? searched : found;
  }

  private Reach reach(Path path, Direction direction, long after, int size) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(after);
    parameters.add(path.live());
    parameters.add(path.ended());
    parameters.add(path.needs());
    parameters.add(size);
    if (path.way().named()) {
      parameters.add(seen.names());
      parameters.add(seen.others());
    }
    return Sql.rowsWithin(
            LONGEST_STATEMENT,
            transactions.entityManager(),
            SearchSql.reach(path.way(), direction),
            row -> new Reach(row.numberOrNull(0), row.number(1)),
            parameters.toArray())
        .get(0);
  }

  private Path path(JobSearch search) {
    JobState state = search.state();
    boolean live = state == null || !state.ended();
    boolean ended = state == null || state.ended();
    if (search.id() != null) {
      return new Path(Way.ONE, live, ended, search.id().toString());
    }
    if (search.batch() != null) {
      return new Path(Way.BATCH, live, ended, search.batch());
    }
    if (state == null || state == JobState.COMPLETED || state == JobState.AVAILABLE) {
      return new Path(Way.ALL, live, ended, null);
    }
    if (state.ended()) {
      return new Path(Way.ENDED, false, true, state.name());
    }
    List<Long> few = few(state);
    return few.size() > FEW
        ? new Path(Way.ALL, true, false, null)
        : new Path(
            Way.LIVE_ONES,
            true,
            false,
            String.join(",", few.stream().map(String::valueOf).toList()));
  }

  /**
   * Returns the ids of the jobs in a state, but not all of them if there are more than {@link
   * #FEW}.
   */
  List<Long> few(JobState state) {
    String statement =
        switch (state) {
          case RUNNING -> SearchSql.running();
          case SCHEDULED -> SearchSql.scheduled();
          case BLOCKED -> SearchSql.blocked();
          default -> throw new IllegalArgumentException(state.name());
        };
    return Sql.rows(transactions.entityManager(), statement, row -> row.number(0), FEW + 1);
  }

  private @Nullable Object[] filters(JobSearch search) {
    JobState state = search.state();
    String error = search.error();
    return new @Nullable Object[] {
      search.queues().toArray(String[]::new),
      search.types().stream().filter(type -> !type.endsWith("*")).toArray(String[]::new),
      search.types().stream()
          .filter(type -> type.endsWith("*"))
          .map(type -> escaped(type.substring(0, type.length() - 1)) + "%")
          .toArray(String[]::new),
      state == null ? null : state.name(),
      search.group(),
      search.batch(),
      search.wave(),
      search.key(),
      search.correlation(),
      search.nodes().toArray(String[]::new),
      error == null ? null : "%" + escaped(error) + "%",
      search.payload().keySet().stream().map(JobSearches::array).toArray(String[]::new),
      search.payload().values().toArray(String[]::new),
      seconds(search.olderThan()),
      seconds(search.youngerThan()),
      SearchSql.UNREADABLE,
      seen.names(),
      seen.others(),
      search.versions().toArray(Integer[]::new),
      search.priorities().toArray(Integer[]::new),
      search.properties().keySet().toArray(String[]::new),
      search.properties().values().toArray(String[]::new)
    };
  }

  /** Escapes the characters that have a meaning in a pattern. */
  private static String escaped(String text) {
    return text.replaceAll("([\\\\%_])", "\\\\$1");
  }

  /** Formats strings as a PostgreSQL array. */
  private static String array(List<String> path) {
    return path.stream()
        .map(name -> '"' + name.replaceAll("([\\\\\"])", "\\\\$1") + '"')
        .collect(java.util.stream.Collectors.joining(",", "{", "}"));
  }

  private static @Nullable Long seconds(@Nullable Duration age) {
    return age == null ? null : age.toSeconds();
  }
}
