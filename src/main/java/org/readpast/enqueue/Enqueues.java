package org.readpast.enqueue;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.readpast.api.BatchFailure;
import org.readpast.api.Enqueued;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobRejectedException;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.model.References;

/** Inserts jobs, in the current transaction. */
public final class Enqueues {
  private static final int MOST_JOBS = 1_000;
  // The database keeps several copies of the parameters while it executes a statement.
  private static final int MOST_CHARACTERS = 4 << 20;

  private final Transactions transactions;
  private final Batches batches;
  private final DebouncedEnqueues debounced;

  /** Creates an instance that does not announce changes to waiting jobs. */
  public Enqueues(Transactions transactions) {
    this(transactions, WaitingChanges.NONE);
  }

  /**
   * @param changes notified of waiting jobs that enqueues have changed
   */
  public Enqueues(Transactions transactions, WaitingChanges changes) {
    this.transactions = transactions;
    this.batches = new Batches(transactions);
    this.debounced = new DebouncedEnqueues(transactions, changes);
  }

  /** Creates a queue with default settings, unless it exists. */
  public void createQueue(String name) {
    Sql.change(transactions.entityManager(), EnqueueSql.createQueue(), name);
  }

  /** Returns the queues that are not visible to the current transaction. */
  public Set<String> missingQueues(Collection<String> names) {
    Set<String> missing = new TreeSet<>(names);
    Sql.rows(
            transactions.entityManager(),
            EnqueueSql.existingQueues(),
            row -> row.text(0),
            (Object) names.toArray(String[]::new))
        .forEach(missing::remove);
    return missing;
  }

  /** Records that queues are used, so that they are not deleted. */
  public void markUsed(Collection<String> names) {
    Sql.change(
        transactions.entityManager(), EnqueueSql.markUsed(), (Object) names.toArray(String[]::new));
  }

  /**
   * Creates the queues that do not exist, with default settings. Returns the names of the created
   * queues.
   */
  public List<String> createQueues(Collection<String> names) {
    return Sql.rows(
        transactions.entityManager(),
        EnqueueSql.createQueues(),
        row -> row.text(0),
        (Object) names.stream().sorted().toArray(String[]::new));
  }

  /**
   * Inserts jobs in pieces, with one statement for each piece. Returns one result for each job, in
   * order.
   */
  public List<Enqueued> insert(List<NewJob> jobs) {
    if (jobs.stream().allMatch(job -> job.dependencies().alone())) {
      return insert(jobs, Map.of());
    }
    Map<String, Integer> references = References.check(jobs);
    refuseUnknown(jobs);
    List<Enqueued> all = insert(jobs, openBatches(jobs));
    follow(jobs, all, references);
    return all;
  }

  private List<Enqueued> insert(List<NewJob> jobs, Map<String, Long> batches) {
    Enqueued[] all = new Enqueued[jobs.size()];
    NavigableMap<String, List<Integer>> changing = new TreeMap<>();
    int from = 0;
    for (List<NewJob> some : pieces(jobs, job -> job)) {
      if (some.get(0).debounce() != null) {
        String key = Objects.requireNonNull(some.get(0).uniqueKey());
        changing.computeIfAbsent(key, none -> new ArrayList<>()).add(from);
      } else {
        change(jobs, changing, all);
        @Nullable Long[] ids = new Long[some.size()];
        insertNew(some, batches, ids);
        List<Enqueued> enqueued = withHolders(some, batches, ids);
        for (int i = 0; i < enqueued.size(); i++) {
          all[from + i] = enqueued.get(i);
        }
      }
      from += some.size();
    }
    change(jobs, changing, all);
    return List.of(all);
  }

  /**
   * Inserts or updates jobs in the order of their unique keys. Each job stays locked until the
   * commit, and the common order prevents deadlocks between callers.
   */
  private void change(
      List<NewJob> jobs, NavigableMap<String, List<Integer>> indexes, Enqueued[] all) {
    for (List<Integer> ofKey : indexes.values()) {
      for (int index : ofKey) {
        NewJob job = jobs.get(index);
        all[index] = debounced.insertOrUpdate(job, Objects.requireNonNull(job.debounce()));
      }
    }
    indexes.clear();
  }

  /**
   * Splits a list into pieces; each piece is inserted by one statement. A piece has at most 1,000
   * jobs and 4 Mi characters of payloads and properties. A larger job, and a job that may change a
   * waiting one, are separate pieces.
   */
  public static <T> List<List<T>> pieces(List<T> all, Function<T, NewJob> job) {
    List<List<T>> pieces = new ArrayList<>();
    int from = 0;
    int characters = 0;
    for (int i = 0; i < all.size(); i++) {
      int more = job.apply(all.get(i)).characters();
      boolean full = i - from == MOST_JOBS || more > MOST_CHARACTERS - characters;
      if (i > from && (full || mayChange(job, all, i) || mayChange(job, all, i - 1))) {
        pieces.add(all.subList(from, i));
        from = i;
        characters = 0;
      }
      characters += more;
    }
    if (from < all.size()) {
      pieces.add(all.subList(from, all.size()));
    }
    return pieces;
  }

  private static <T> boolean mayChange(Function<T, NewJob> job, List<T> all, int at) {
    return job.apply(all.get(at)).debounce() != null;
  }

  private void insertNew(List<NewJob> given, Map<String, Long> batches, @Nullable Long[] ids) {
    String key = transactions.encryption().currentKey();
    if (key != null) {
      insertSealed(given, batches, ids, key);
      return;
    }
    List<NewJob> jobs = inClear(given);
    if (jobs.size() == 1 && jobs.get(0).dependencies().waitsFor() == null) {
      ids[0] = insertOne(jobs.get(0));
      return;
    }
    if (alike(jobs)) {
      insertAlike(jobs, ids);
      return;
    }
    insertAny(jobs, batches, ids, null);
  }

  /**
   * Encrypts and inserts jobs. A separate statement assigns the ids of the jobs first, because an
   * encrypted string is bound to the id of its job.
   */
  private void insertSealed(
      List<NewJob> jobs, Map<String, Long> batches, @Nullable Long[] ids, String key) {
    Long[] drawn = nextIds(jobs.size());
    List<NewJob> sealed =
        IntStream.range(0, drawn.length)
            .mapToObj(
                i ->
                    jobs.get(i)
                        .sealed(transactions.encryption(), Objects.requireNonNull(drawn[i]), key))
            .toList();
    insertAny(sealed, batches, ids, drawn);
  }

  private Long[] nextIds(int many) {
    return Sql.rows(transactions.entityManager(), EnqueueSql.nextIds(), row -> row.number(0), many)
        .toArray(Long[]::new);
  }

  /** Allocates an id for a job that is inserted later. */
  public long nextId() {
    return nextIds(1)[0];
  }

  /**
   * Returns the jobs, usually unchanged. A string that looks encrypted is stored in another form.
   */
  private List<NewJob> inClear(List<NewJob> jobs) {
    for (NewJob job : jobs) {
      if (job.looksEncrypted()) {
        return jobs.stream().map(one -> one.sealed(transactions.encryption(), 0, null)).toList();
      }
    }
    return jobs;
  }

  /** Inserts a job that was returned by {@link NewJob#sealed} and waits for no other job. */
  public void insertAsStored(NewJob sealed, long id) {
    insertAny(List.of(sealed), Map.of(), new Long[1], new Long[] {id});
  }

  private void insertAny(
      List<NewJob> jobs,
      Map<String, Long> batches,
      @Nullable Long[] ids,
      @Nullable Long @Nullable [] drawn) {
    Sql.rows(
        transactions.entityManager(),
        EnqueueSql.insert(),
        row -> ids[row.integer(0) - 1] = row.number(1),
        column(jobs, String[]::new, NewJob::queue),
        column(jobs, String[]::new, NewJob::type),
        column(jobs, Integer[]::new, NewJob::priority),
        column(jobs, Long[]::new, job -> millis(job.delay())),
        column(jobs, String[]::new, job -> Objects.toString(job.at(), null)),
        column(jobs, Long[]::new, job -> millis(job.expiresIn())),
        column(jobs, String[]::new, job -> Objects.toString(job.expiresAt(), null)),
        column(jobs, String[]::new, NewJob::uniqueKey),
        column(jobs, String[]::new, NewJob::correlationId),
        column(jobs, String[]::new, NewJob::properties),
        column(jobs, Integer[]::new, NewJob::maxAttempts),
        column(jobs, String[]::new, NewJob::payload),
        column(jobs, String[]::new, NewJob::contentType),
        column(jobs, Long[]::new, job -> batchOf(job, batches)),
        column(
            jobs,
            Integer[]::new,
            job -> job.dependencies().batch() == null ? null : job.dependencies().wave()),
        column(jobs, String[]::new, job -> job.dependencies().group()),
        column(jobs, Boolean[]::new, job -> job.dependencies().groupFailure() == GroupFailure.HOLD),
        column(jobs, String[]::new, job -> job.dependencies().waitsFor()),
        column(jobs, String[]::new, job -> job.enqueuedBy().name()),
        column(jobs, String[]::new, job -> job.enqueuedBy().roleLines()),
        drawn);
  }

  private @Nullable Long insertOne(NewJob job) {
    if (plain(job)) {
      return Sql.first(
          transactions.entityManager(),
          EnqueueSql.insertPlain(),
          row -> row.number(0),
          job.queue(),
          job.type(),
          job.priority(),
          job.correlationId(),
          job.properties(),
          job.payload(),
          job.enqueuedBy().name(),
          job.enqueuedBy().roleLines());
    }
    return Sql.first(
        transactions.entityManager(),
        job.uniqueKey() == null ? EnqueueSql.insertOne() : EnqueueSql.insertOneWithKey(),
        row -> row.number(0),
        job.queue(),
        job.type(),
        job.priority(),
        millis(job.delay()),
        utc(job.at()),
        millis(job.expiresIn()),
        utc(job.expiresAt()),
        job.uniqueKey(),
        job.correlationId(),
        job.properties(),
        job.maxAttempts(),
        job.payload(),
        job.contentType(),
        job.enqueuedBy().name(),
        job.enqueuedBy().roleLines());
  }

  private static boolean plain(NewJob job) {
    return job.uniqueKey() == null
        && job.delay() == null
        && job.at() == null
        && job.expiresIn() == null
        && job.expiresAt() == null
        && job.maxAttempts() == null
        && job.contentType() == null;
  }

  /**
   * Returns true if the jobs differ only in the fields in which the jobs of one call usually
   * differ.
   */
  private static boolean alike(List<NewJob> jobs) {
    NewJob first = jobs.get(0);
    return jobs.stream()
        .allMatch(
            job ->
                job.uniqueKey() == null
                    && job.dependencies().alone()
                    && job.queue().equals(first.queue())
                    && job.type().equals(first.type())
                    && job.priority() == first.priority()
                    && Objects.equals(job.delay(), first.delay())
                    && Objects.equals(job.at(), first.at())
                    && Objects.equals(job.expiresIn(), first.expiresIn())
                    && Objects.equals(job.expiresAt(), first.expiresAt())
                    && Objects.equals(job.maxAttempts(), first.maxAttempts())
                    && Objects.equals(job.contentType(), first.contentType())
                    && job.enqueuedBy().equals(first.enqueuedBy()));
  }

  /**
   * Inserts jobs that differ only in the fields that jobs of one call usually differ in. Compared
   * with {@link #insertAny}, this method takes half of the database's time, and a sixth of the
   * arrays.
   */
  private void insertAlike(List<NewJob> jobs, @Nullable Long[] ids) {
    NewJob first = jobs.get(0);
    List<Long> added =
        Sql.rows(
            transactions.entityManager(),
            EnqueueSql.insertAlike(),
            row -> row.number(0),
            first.queue(),
            first.type(),
            first.priority(),
            millis(first.delay()),
            utc(first.at()),
            millis(first.expiresIn()),
            utc(first.expiresAt()),
            first.maxAttempts(),
            first.contentType(),
            column(jobs, String[]::new, NewJob::correlationId),
            column(jobs, String[]::new, NewJob::properties),
            column(jobs, String[]::new, NewJob::payload),
            first.enqueuedBy().name(),
            first.enqueuedBy().roleLines());
    added.stream().sorted().toList().toArray(ids);
  }

  private static @Nullable Long batchOf(NewJob job, Map<String, Long> batches) {
    String name = job.dependencies().batch();
    return name == null ? null : batches.get(name);
  }

  private void refuseUnknown(List<NewJob> jobs) {
    Long[] named =
        jobs.stream()
            .flatMap(job -> job.dependencies().after().stream())
            .distinct()
            .toArray(Long[]::new);
    if (named.length > 0) {
      Long unknown =
          Sql.first(
              transactions.entityManager(),
              EnqueueSql.unknown(),
              row -> row.number(0),
              (Object) named);
      if (unknown != null) {
        throw new JobRejectedException(
            "after names job "
                + unknown
                + ", which never existed; enqueue a job before its followers");
      }
    }
  }

  /**
   * Returns the ids of the batches that the jobs join. Creates the batches that do not exist yet.
   */
  private Map<String, Long> openBatches(List<NewJob> jobs) {
    Set<String> names = new TreeSet<>();
    jobs.forEach(job -> Optional.ofNullable(job.dependencies().batch()).ifPresent(names::add));
    if (names.isEmpty()) {
      return Map.of();
    }
    Map<String, Long> open = addTo(names);
    if (open.size() < names.size()) {
      List<String> missing = names.stream().filter(name -> !open.containsKey(name)).toList();
      missing.forEach(name -> batches.create(name, BatchFailure.HOLD, () -> {}));
      open.putAll(addTo(missing));
      for (String name : missing) {
        if (!open.containsKey(name)) {
          throw batches.notOpen(name);
        }
      }
    }
    return open;
  }

  private Map<String, Long> addTo(Collection<String> names) {
    Map<String, Long> open = new HashMap<>();
    Sql.rows(
        transactions.entityManager(),
        EnqueueSql.addTo(),
        row -> open.put(row.text(0), row.number(1)),
        (Object) names.toArray(String[]::new));
    return open;
  }

  private void follow(List<NewJob> jobs, List<Enqueued> all, Map<String, Integer> references) {
    List<Long> followers = new ArrayList<>();
    List<Long> predecessors = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      JobDependencies dependencies = jobs.get(i).dependencies();
      if (dependencies.follows() && all.get(i).isNew()) {
        List<Long> after = new ArrayList<>(dependencies.after());
        dependencies
            .afterRefs()
            .forEach(ref -> after.add(all.get(Objects.requireNonNull(references.get(ref))).id()));
        for (long predecessor : after) {
          followers.add(all.get(i).id());
          predecessors.add(predecessor);
          failures.add(dependencies.predecessorFailure().name());
        }
      }
    }
    if (!followers.isEmpty()) {
      Sql.change(
          transactions.entityManager(),
          EnqueueSql.follow(),
          followers.toArray(Long[]::new),
          predecessors.toArray(Long[]::new),
          failures.toArray(String[]::new));
    }
  }

  /**
   * Adds to the results the live jobs whose unique keys prevented inserts. If the live job has
   * ended in the meantime, the key is free, and the new job is inserted.
   */
  private List<Enqueued> withHolders(
      List<NewJob> jobs, Map<String, Long> batches, @Nullable Long[] ids) {
    Enqueued[] answers = new Enqueued[ids.length];
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      Long id = ids[i];
      if (id == null) {
        open.add(i);
      } else {
        answers[i] = Enqueued.of(id, true);
      }
    }
    while (!open.isEmpty()) {
      Map<String, Long> holders = new HashMap<>();
      Sql.rows(
          transactions.entityManager(),
          EnqueueSql.holdersOfKeys(),
          row -> holders.put(row.text(0), row.number(1)),
          (Object) open.stream().map(i -> jobs.get(i).uniqueKey()).toArray(String[]::new));
      List<Integer> still = new ArrayList<>();
      for (int i : open) {
        Long holder = holders.get(jobs.get(i).uniqueKey());
        @Nullable Long[] one = new Long[1];
        if (holder == null) {
          insertNew(List.of(jobs.get(i)), batches, one);
        }
        Long added = one[0];
        if (holder != null || added != null) {
          answers[i] = holder != null ? Enqueued.of(holder, false) : Enqueued.of(added, true);
        } else {
          still.add(i);
        }
      }
      open = still;
    }
    return List.of(answers);
  }

  private static <T> @Nullable T[] column(
      List<NewJob> jobs, Function<Integer, T[]> array, Function<NewJob, @Nullable T> field) {
    @Nullable T[] column = array.apply(jobs.size());
    IntStream.range(0, column.length).forEach(i -> column[i] = field.apply(jobs.get(i)));
    return column;
  }

  static @Nullable Long millis(@Nullable Duration duration) {
    return duration == null ? null : duration.toMillis();
  }

  static @Nullable OffsetDateTime utc(@Nullable Instant moment) {
    return moment == null ? null : Sql.utc(moment);
  }
}
