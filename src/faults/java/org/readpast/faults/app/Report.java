package org.readpast.faults.app;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sends the report of one attempt to the collector, without using the database. The collector
 * responds to each line before the handler continues, so that its timestamp is within the attempt.
 * A line for which no response is sent contains its timestamp.
 */
final class Report {
  private static final int PORT = Integer.getInteger("readpast.faults.collector", 0);
  private static final String SERVER = System.getProperty("readpast.node.name", "");

  /** Contains open connections that no thread is using. */
  private static final Queue<Socket> FREE = new ConcurrentLinkedQueue<>();

  private final String who;

  /** Creates the report of an attempt. */
  Report(int n, int attempt) {
    who = " " + n + " " + attempt + " " + SERVER;
  }

  /** Reports that the handler has begun. */
  void begun() throws IOException {
    say("begun" + who);
  }

  /** Reports that the handler has finished. */
  void over(boolean well) throws IOException {
    say((well ? "well" : "failed") + who);
  }

  /**
   * Reports the beginning and the end of the attempt together, because the handler does nothing.
   * The timestamp is from the monotonic clock, which all processes share and no process can set.
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
        throw new IOException("the collector has closed the connection");
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
