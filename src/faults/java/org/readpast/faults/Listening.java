package org.readpast.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Listens at a port of the loopback interface, with one thread for each caller. */
final class Listening implements AutoCloseable {
  private final ServerSocket socket;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Listens on a free port. */
  Listening(Consumer<Socket> answer) {
    try {
      socket = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.execute(() -> accept(answer));
  }

  int port() {
    return socket.getLocalPort();
  }

  /** Runs a task on a separate thread until this object is closed. */
  void execute(Runnable task) {
    threads.execute(task);
  }

  private void accept(Consumer<Socket> answer) {
    try {
      while (true) {
        Socket caller = socket.accept();
        threads.execute(() -> answer.accept(caller));
      }
    } catch (IOException e) {
      // The socket was closed.
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      threads.shutdownNow();
    }
  }
}
