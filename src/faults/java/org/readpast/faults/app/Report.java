package org.readpast.faults.app;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * One attempt's report to the collector, outside of the database. A line is answered before the
 * handler goes on, so that the collector's moment lies within the attempt, or has its moment with
 * it.
 */
final class Report {
  private static final int PORT = Integer.getInteger("readpast.faults.collector", 0);
  private static final String SERVER = System.getProperty("readpast.node.name", "");

  /** Nobody speaks on these just now. */
  private static final Queue<Socket> FREE = new ConcurrentLinkedQueue<>();

  private final String who;

  /** Of an attempt. */
  Report(int n, int attempt) {
    who = " " + n + " " + attempt + " " + SERVER;
  }

  /** The handler begins. */
  void begun() throws IOException {
    say("begun" + who);
  }

  /** The handler is through. */
  void over(boolean well) throws IOException {
    say((well ? "well" : "failed") + who);
  }

  /**
   * Both at once, as it has nothing to do. By the clock that counts since the machine was started,
   * which all processes share and nobody sets.
   */
  void begunAndOver(boolean well) throws IOException {
    say((well ? "begun,well" : "begun,failed") + who + " " + System.nanoTime(), false);
  }

  private static void say(String line) throws IOException {
    say(line, true);
  }

  private static void say(String line, boolean answered) throws IOException {
    Socket socket = socket();
    try {
      socket.getOutputStream().write((line + "\n").getBytes(US_ASCII));
      if (answered && socket.getInputStream().read() < 0) {
        throw new IOException("the collector is gone");
      }
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    FREE.add(socket);
  }

  private static Socket socket() throws IOException {
    @Nullable Socket free = FREE.poll();
    if (free != null) {
      return free;
    }
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), PORT);
    socket.setTcpNoDelay(true);
    return socket;
  }
}
