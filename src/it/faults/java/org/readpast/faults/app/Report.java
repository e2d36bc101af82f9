package org.readpast.faults.app;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/**
 * One attempt's report to the collector, outside of the database. Each line is answered before the
 * handler goes on, so the collector's moments lie within the attempt.
 */
final class Report implements AutoCloseable {
  private static final int PORT = Integer.getInteger("readpast.faults.collector", 0);
  private static final String SERVER = System.getProperty("readpast.node.name", "");

  private final Socket socket;
  private final String who;

  /** The attempt begins. */
  Report(int n, int attempt) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), PORT);
    this.who = n + " " + attempt + " " + SERVER;
    socket.setTcpNoDelay(true);
    say("begun " + who);
  }

  /** The handler is through. */
  void over(boolean well) throws IOException {
    say((well ? "well " : "failed ") + who);
  }

  private void say(String line) throws IOException {
    socket.getOutputStream().write((line + "\n").getBytes(US_ASCII));
    if (socket.getInputStream().read() < 0) {
      throw new IOException("the collector is gone");
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
