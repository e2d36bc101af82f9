package org.readpast.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Allocates ports of the loopback interface. */
public final class Ports {
  // The ports are below the range that systems use for outgoing connections, so no such connection
  // takes the port of a server while the server restarts.
  private static final int FIRST = 20_000;
  private static final int END = 32_000;
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private Ports() {}

  /** Returns a port that was free just now. Each port is returned only once by this JVM. */
  public static int free() {
    return ThreadLocalRandom.current()
        .ints(FIRST, END)
        .filter(port -> !isTaken(port) && GIVEN.add(port))
        .findFirst()
        .orElseThrow();
  }

  public static boolean isTaken(int port) {
    try (var socket = new ServerSocket()) {
      // Without SO_REUSEADDR, the port would count as used as long as connections of a stopped
      // server are in TIME_WAIT.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
