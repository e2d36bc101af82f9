package org.readpast.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback interface. */
public final class Ports {
  // Below those that systems give to outgoing connections: none of these takes the port of a server
  // while it is restarted.
  private static final int FIRST = 20_000;
  private static final int END = 32_000;
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private Ports() {}

  /** A port that was free a moment ago, and is given only once. */
  public static int free() {
    return ThreadLocalRandom.current()
        .ints(FIRST, END)
        .filter(port -> !isTaken(port) && GIVEN.add(port))
        .findFirst()
        .orElseThrow();
  }

  public static boolean isTaken(int port) {
    try (var socket = new ServerSocket()) {
      // Else connections that a stopped server left in TIME_WAIT count as taken.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
