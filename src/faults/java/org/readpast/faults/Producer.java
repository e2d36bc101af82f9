package org.readpast.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import java.io.IOException;
import java.io.StringReader;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.readpast.faults.Story.Answer;
import org.readpast.faults.Story.Asked;
import org.readpast.faults.Story.Spec;
import org.readpast.faults.Story.Work;
import org.readpast.faults.app.EnqueueAlone;

/**
 * Enqueues jobs over REST, one random request after the other, and records the responses. No other
 * producer uses its groups, batches and unique keys, so it knows their order.
 */
final class Producer implements Runnable {
  /** Names the queue of jobs that end immediately. */
  static final String QUICK = "faults-quick";

  private static final int MAX_ATTEMPTS = 8;
  private static final int GROUP_PRIORITY = 5;
  // The limit is so high that receivers claim the jobs while they wait, but do not claim all of
  // them together.
  private static final int LARGE_WAVE = 200;
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  private final int no;
  private final Random dice;
  private final boolean brisk;
  private final Load load;
  private final Cluster cluster;
  private final Recorder recorder;
  private final AtomicInteger numbers;
  private final Queue<Integer> killers;
  private final Duration pause;
  private final AtomicBoolean stop;
  private final Map<Integer, Integer> killsAfter = new HashMap<>();
  private final Map<Integer, Long> ids = new ConcurrentHashMap<>();
  private final Deque<Integer> latest = new ArrayDeque<>();
  private int requests;

  /**
   * Creates one of several producers.
   *
   * @param numbers the source of job numbers, which all producers share
   * @param killers for each remaining job that is to kill its server, the ms after which it does
   *     so; all producers share this list
   */
  Producer(
      int no,
      FaultRun.Plan plan,
      Cluster cluster,
      Recorder recorder,
      AtomicInteger numbers,
      Queue<Integer> killers,
      Duration pause,
      AtomicBoolean stop) {
    this.no = no;
    this.dice = new Random(plan.seed() * 1_000 + no);
    this.brisk = plan.brisk();
    this.load = plan.load();
    this.cluster = cluster;
    this.recorder = recorder;
    this.numbers = numbers;
    this.killers = killers;
    this.pause = pause;
    this.stop = stop;
  }

  @Override
  public void run() {
    try {
      while (!stop.get()) {
        ask(next());
        TimeUnit.MILLISECONDS.sleep(dice.nextLong(2 * pause.toMillis()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Spec> next() {
    int request = no * 1_000_000 + ++requests;
    int kind = dice.nextInt(100);
    if (kind < 15) {
      String group = "p" + no + "g" + dice.nextInt(3);
      List<Spec> some = new ArrayList<>();
      for (int i = dice.nextInt(4); i >= 0; i--) {
        some.add(spec(request, group, null, 0, List.of(), null));
      }
      return some;
    }
    if (kind < 23) {
      // A wave with a single job is needed, because otherwise a finished wave looks like a wave
      // with one job left.
      return IntStream.of(0, 0, 1, 2, 2)
          .mapToObj(wave -> spec(request, null, "b" + request, wave, List.of(), null))
          .toList();
    }
    if (kind < 24 && !brisk) {
      return IntStream.range(0, 4 * LARGE_WAVE)
          .mapToObj(i -> quick(request, i / LARGE_WAVE))
          .toList();
    }
    if (kind < 31 && !latest.isEmpty()) {
      return List.of(spec(request, null, null, 0, List.copyOf(latest), null));
    }
    if (kind < 39) {
      return List.of(spec(request, null, null, 0, List.of(), "p" + no + "k" + dice.nextInt(3)));
    }
    if (kind < 42) {
      return plain(request, 5);
    }
    return plain(request, brisk ? 10 : 1);
  }

  private List<Spec> plain(int request, int howMany) {
    List<Spec> plain = new ArrayList<>();
    for (int i = 0; i < howMany; i++) {
      plain.add(spec(request, null, null, 0, List.of(), null));
    }
    return plain;
  }

  private Spec quick(int request, int wave) {
    return new Spec(
        numbers.incrementAndGet(),
        request,
        QUICK,
        Work.QUICK,
        GROUP_PRIORITY,
        null,
        "b" + request,
        wave,
        List.of(),
        null,
        false,
        MAX_ATTEMPTS);
  }

  private Spec spec(
      int request,
      @Nullable String group,
      @Nullable String batch,
      int wave,
      List<Integer> after,
      @Nullable String key) {
    // Jobs of a group usually have the same type, so that the worker that ends one job can continue
    // with the next job.
    boolean alike = dice.nextInt(4) > 0;
    boolean transactional = group != null && alike ? group.endsWith("0") : dice.nextBoolean();
    boolean plain = group == null && batch == null && after.isEmpty() && key == null;
    int application =
        load.applications() == 1
            ? 0
            : group != null && alike
                ? Math.floorMod(group.hashCode(), load.applications())
                : dice.nextInt(load.applications());
    Integer kills = plain && dice.nextInt(load.oneInPoison()) == 0 ? killers.poll() : null;
    boolean poison = kills != null;
    int number = numbers.incrementAndGet();
    if (kills != null) {
      killsAfter.put(number, kills);
    }
    return new Spec(
        number,
        request,
        queue(),
        Work.of(application, transactional),
        group != null && alike ? GROUP_PRIORITY : dice.nextInt(10),
        group,
        batch,
        wave,
        after,
        key,
        poison,
        poison ? load.poisonAttempts() : MAX_ATTEMPTS);
  }

  private void ask(List<Spec> specs) throws InterruptedException {
    long begun = Recorder.now();
    Answer answer = Answer.UNKNOWN;
    try {
      HttpResponse<String> response = HTTP.send(request(specs), BodyHandlers.ofString());
      answer = answer(response.statusCode());
      if (answer == Answer.OK) {
        keepIds(specs, response.body());
      }
    } catch (ConnectException e) {
      // The request was never sent.
      answer = Answer.REFUSED;
    } catch (IOException e) {
      // The request may have been executed.
    }
    long answered = Recorder.now();
    for (Spec spec : specs) {
      Integer kills = killsAfter.get(spec.n());
      if (kills != null && answer != Answer.OK) {
        killers.add(kills);
      }
      recorder.asked.add(new Asked(spec, answer, begun, answered));
    }
  }

  private static Answer answer(int status) {
    return switch (status) {
      case 201 -> Answer.OK;
      case 200 -> Answer.MERGED;
      default -> status / 100 == 4 ? Answer.REFUSED : Answer.UNKNOWN;
    };
  }

  private void keepIds(List<Spec> specs, String body) {
    try (var reader = Json.createReader(new StringReader(body))) {
      var json = reader.readObject();
      if (specs.size() == 1) {
        Spec one = specs.get(0);
        ids.put(one.n(), json.getJsonNumber("id").longValue());
        if (!one.poison()) {
          latest.add(one.n());
        }
        if (latest.size() > 3) {
          latest.removeFirst();
        }
      }
    }
  }

  private HttpRequest request(List<Spec> specs) {
    var server = cluster.members().get(dice.nextInt(cluster.members().size())).server();
    String body;
    if (specs.size() == 1) {
      body = json(specs.get(0)).build().toString();
    } else {
      JsonArrayBuilder array = Json.createArrayBuilder();
      specs.forEach(spec -> array.add(json(spec)));
      body = array.build().toString();
    }
    String queue = specs.get(0).queue();
    String path =
        specs.size() == 1 && specs.get(0).withoutTransaction()
            ? EnqueueAlone.PATH + "?queue=" + queue
            : "/api/queues/" + queue + "/jobs";
    return HttpRequest.newBuilder(server.uri("/readpast" + path))
        .timeout(Duration.ofSeconds(6))
        .header("Content-Type", "application/json")
        .header(
            "Authorization",
            "Basic " + Base64.getEncoder().encodeToString(Cluster.LOGIN.getBytes(UTF_8)))
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  /** Returns one queue for all groups of a producer, because a group belongs to a queue. */
  private String queue() {
    return "faults" + no % 2;
  }

  private int millis(Spec spec) {
    int kills = killsAfter.getOrDefault(spec.n(), 0);
    return kills > 0 ? kills : brisk ? dice.nextInt(5) : load.millis(dice);
  }

  private JsonObjectBuilder payload(Spec spec) {
    JsonObjectBuilder payload = Json.createObjectBuilder().add("n", spec.n());
    return spec.work() == Work.QUICK
        ? payload
        : payload
            .add("millis", millis(spec))
            .add("poison", spec.poison())
            .add("filling", load.filling(dice));
  }

  private JsonObjectBuilder json(Spec spec) {
    JsonObjectBuilder json =
        Json.createObjectBuilder()
            .add("type", spec.work().type())
            .add("maxAttempts", spec.maxAttempts())
            .add("correlationId", Integer.toString(spec.n()))
            .add("priority", spec.priority())
            .add("payload", payload(spec));
    if (spec.group() != null) {
      json.add("group", spec.group());
    }
    if (spec.batch() != null) {
      json.add("batch", spec.batch()).add("wave", spec.wave());
    }
    if (spec.uniqueKey() != null) {
      json.add("uniqueKey", spec.uniqueKey());
    }
    if (!spec.after().isEmpty()) {
      JsonArrayBuilder after = Json.createArrayBuilder();
      spec.after().forEach(n -> after.add(ids.get(n)));
      json.add("after", after).add("predecessorFailure", "CANCEL");
    }
    return json;
  }
}
