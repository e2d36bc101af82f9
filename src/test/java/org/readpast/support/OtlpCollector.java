package org.readpast.support;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** Receives what servers export by OTLP over HTTP. */
public final class OtlpCollector implements AutoCloseable {
  private final HttpServer server;
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private final Map<String, Double> points = new ConcurrentHashMap<>();

  /**
   * Describes a span that was received.
   *
   * @param kind 2 for server, 4 for producer, 5 for consumer
   * @param links the linked spans, each as "trace span"
   * @param status 2 for error
   */
  public record Span(
      String trace,
      String id,
      String parent,
      String name,
      long kind,
      Map<String, String> attributes,
      List<String> links,
      List<String> events,
      long status) {}

  public OtlpCollector() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    server.createContext("/v1/traces", exchange -> take(exchange, this::traces));
    server.createContext("/v1/metrics", exchange -> take(exchange, this::metrics));
    server.createContext("/v1/logs", exchange -> take(exchange, request -> {}));
    server.start();
  }

  public String endpoint() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** Returns all spans received so far. */
  public List<Span> spans() {
    return spans;
  }

  /**
   * Returns the last values by name and attributes. A histogram is included as its count and, with
   * the suffix "sum", as its sum.
   */
  public Map<String, Double> points() {
    return points;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private interface Taker {
    void take(Protobuf request);
  }

  private static void take(HttpExchange exchange, Taker taker) throws IOException {
    try (exchange) {
      boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      InputStream body = exchange.getRequestBody();
      taker.take(Protobuf.of((zipped ? new GZIPInputStream(body) : body).readAllBytes()));
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private void traces(Protobuf request) {
    for (Protobuf resource : request.messages(1)) {
      for (Protobuf scope : resource.messages(2)) {
        scope.messages(2).forEach(span -> spans.add(span(span)));
      }
    }
  }

  private static Span span(Protobuf span) {
    return new Span(
        span.hex(1),
        span.hex(2),
        span.hex(4),
        span.text(5),
        span.number(6),
        attributes(span, 9),
        span.messages(13).stream().map(link -> link.hex(1) + ' ' + link.hex(2)).toList(),
        span.messages(11).stream().map(event -> event.text(2)).toList(),
        span.messages(15).stream().mapToLong(status -> status.number(3)).sum());
  }

  private void metrics(Protobuf request) {
    for (Protobuf resource : request.messages(1)) {
      for (Protobuf scope : resource.messages(2)) {
        scope.messages(2).forEach(this::metric);
      }
    }
  }

  private void metric(Protobuf metric) {
    String name = metric.text(1);
    for (int kind : new int[] {5, 7}) {
      for (Protobuf data : metric.messages(kind)) {
        for (Protobuf point : data.messages(1)) {
          points.put(
              name + attributes(point, 7), point.has(6) ? point.number(6) : point.decimal(4));
        }
      }
    }
    for (Protobuf data : metric.messages(9)) {
      for (Protobuf point : data.messages(1)) {
        points.put(name + attributes(point, 9), (double) point.number(4));
        points.put(name + " sum" + attributes(point, 9), point.decimal(5));
        points.put(name + " bounds" + attributes(point, 9), point.has(7) ? 1.0 : 0.0);
      }
    }
  }

  private static Map<String, String> attributes(Protobuf of, int number) {
    Map<String, String> attributes = new TreeMap<>();
    for (Protobuf attribute : of.messages(number)) {
      Protobuf value = attribute.messages(2).get(0);
      attributes.put(
          attribute.text(1), value.has(1) ? value.text(1) : Long.toString(value.number(3)));
    }
    return attributes;
  }
}
