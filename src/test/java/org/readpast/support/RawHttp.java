package org.readpast.support;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Sends requests byte by byte, each on a separate connection. Java's own client would refuse or
 * correct requests that attackers send.
 */
public final class RawHttp {
  private static final int PATIENCE_MILLIS = 60_000;

  private final URI server;
  private final List<String> headers = new ArrayList<>();

  public RawHttp(ServerProcess server) {
    this.server = server.uri("/");
  }

  private RawHttp(RawHttp other, String header) {
    server = other.server;
    headers.addAll(other.headers);
    headers.add(header);
  }

  /**
   * Holds a response.
   *
   * @param headers the header lines, unchanged
   * @param body the body as text, one character for each byte
   */
  public record Answer(int status, List<String> headers, String body, Duration took) {
    /** Returns the body as UTF-8. */
    public String text() {
      return new String(body.getBytes(ISO_8859_1), UTF_8);
    }

    /** Returns the first header with a name. */
    public Optional<String> header(String name) {
      return all(name).stream().findFirst();
    }

    /** Returns the values of all headers with a name. */
    public List<String> all(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ":";
      return headers.stream()
          .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(start))
          .map(header -> header.substring(start.length()).strip())
          .toList();
    }
  }

  /**
   * Returns a client that sends an additional header, such as {@code "Origin:
   * http://evil.example"}.
   */
  public RawHttp with(String header) {
    return new RawHttp(this, header);
  }

  /** Returns a client that sends a name and a password, separated by a colon. */
  public RawHttp as(String login) {
    return with(
        "Authorization: Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8)));
  }

  public Answer get(String target) {
    return send("GET", target, new byte[0]);
  }

  public Answer send(String method, String target, String body) {
    return send(method, target, body.getBytes(UTF_8));
  }

  /**
   * @param target the unmodified request target, such as {@code /readpast/..;/x}
   */
  public Answer send(String method, String target, byte[] body) {
    var head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    head.append("Host: localhost:").append(server.getPort()).append("\r\nConnection: close\r\n");
    headers.forEach(header -> head.append(header).append("\r\n"));
    if (body.length > 0 || !method.equals("GET")) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    head.append("\r\n");
    long begin = System.nanoTime();
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      var out = socket.getOutputStream();
      out.write(head.toString().getBytes(UTF_8));
      try {
        out.write(body);
        out.flush();
      } catch (IOException e) {
        // The server responded before it had read the whole request.
      }
      byte[] all = read(socket.getInputStream());
      return answer(all, Duration.ofNanos(System.nanoTime() - begin));
    } catch (IOException e) {
      throw new IllegalStateException(method + " " + target, e);
    }
  }

  private static byte[] read(InputStream in) throws IOException {
    var all = new ByteArrayOutputStream();
    byte[] some = new byte[8192];
    try {
      int n = in.read(some);
      while (n >= 0) {
        all.write(some, 0, n);
        n = isStream(all) ? -1 : in.read(some);
      }
    } catch (IOException e) {
      if (all.size() == 0) {
        throw e;
      }
      // The server reset the connection after the response, because it did not read the rest of the
      // request.
    }
    return all.toByteArray();
  }

  /** Returns true for a stream of events, which never ends, so that only its beginning is read. */
  private static boolean isStream(ByteArrayOutputStream answer) {
    return answer.size() < 4096
        && answer.toString(ISO_8859_1).toLowerCase(Locale.ROOT).contains("text/event-stream");
  }

  private static Answer answer(byte[] bytes, Duration took) {
    String text = new String(bytes, ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (!text.startsWith("HTTP/1.1 ") || end < 0) {
      throw new IllegalStateException("no answer, but '" + text + "'");
    }
    List<String> lines = Arrays.asList(text.substring(0, end).split("\r\n"));
    String rest = text.substring(end + 4);
    boolean chunked =
        lines.stream().anyMatch(line -> line.equalsIgnoreCase("transfer-encoding: chunked"));
    return new Answer(
        Integer.parseInt(lines.get(0).substring(9, 12)),
        lines.subList(1, lines.size()),
        chunked ? joined(rest) : rest,
        took);
  }

  private static String joined(String chunks) {
    var body = new StringBuilder();
    int at = 0;
    while (at < chunks.length()) {
      int line = chunks.indexOf("\r\n", at);
      int length = line < 0 ? 0 : Integer.parseInt(chunks.substring(at, line).strip(), 16);
      if (length == 0) {
        break;
      }
      body.append(chunks, line + 2, Math.min(chunks.length(), line + 2 + length));
      at = line + 2 + length + 2;
    }
    return body.toString();
  }
}
