package org.readpast.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Ports of the loopback interface. */
public final class Ports {
  private Ports() {}

  /** A port that was free a moment ago. */
  public static int free() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
