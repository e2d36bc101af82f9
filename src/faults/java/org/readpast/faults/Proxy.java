package org.readpast.faults;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Simulates the network path from one server to the database, which can fail in several ways. */
final class Proxy implements AutoCloseable {
  // PostgreSQL's responses to a COMMIT that succeeded, and to a statement that returns rows.
  private static final byte[] COMMITTED = "C\0\0\0\013COMMIT\0".getBytes(US_ASCII);
  private static final byte[] SELECTED = "SELECT ".getBytes(US_ASCII);
  // The end of each response, followed by a letter, which is I if no transaction is open.
  private static final byte[] READY = "Z\0\0\0\005".getBytes(US_ASCII);

  private final int target;
  private final Set<Way> ways = ConcurrentHashMap.newKeySet();
  private final AtomicInteger cuts = new AtomicInteger();
  private final AtomicInteger cutsMade = new AtomicInteger();
  private volatile long delayMillis;
  private volatile boolean swallowing;

  private final Listening listening = new Listening(this::connect);

  Proxy(int target) {
    this.target = target;
  }

  int port() {
    return listening.port();
  }

  /** Ends every connection with a TCP reset. */
  void reset() {
    ways.forEach(Way::reset);
  }

  /** Delays each piece of data in both directions; 0 ends the delay. */
  void delay(long millis) {
    delayMillis = millis;
  }

  /** Forwards nothing and closes nothing, until it is called with {@code false}. */
  void swallow(boolean on) {
    swallowing = on;
    if (!on) {
      reset();
    }
  }

  /**
   * Ends the next connections that commit a transaction or a single statement. The connection ends
   * after the database has committed, and before the server receives the response.
   */
  void cutAfterCommit(int connections) {
    cutsMade.set(0);
    cuts.set(connections);
  }

  /**
   * Returns the number of connections that {@link #cutAfterCommit} has ended, and stops ending
   * them.
   */
  int stopCutting() {
    cuts.set(0);
    return cutsMade.get();
  }

  private void connect(Socket server) {
    try {
      Socket database = new Socket(InetAddress.getLoopbackAddress(), target);
      database.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      Way way = new Way(server, database);
      ways.add(way);
      listening.execute(() -> way.carry(server, database, false));
      way.carry(database, server, true);
    } catch (IOException e) {
      closeHard(server);
    }
  }

  /** Represents one connection through the proxy. */
  private final class Way {
    private final Socket server;
    private final Socket database;
    private char status;

    Way(Socket server, Socket database) {
      this.server = server;
      this.database = database;
    }

    void carry(Socket from, Socket to, boolean answers) {
      byte[] piece = new byte[1 << 16];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
          if (delayMillis > 0) {
            TimeUnit.MILLISECONDS.sleep(delayMillis);
          }
          while (swallowing) {
            TimeUnit.MILLISECONDS.sleep(20);
          }
          if (answers && committed(piece, length) && cuts.getAndDecrement() > 0) {
            cutsMade.incrementAndGet();
            break;
          }
          out.write(piece, 0, length);
        }
      } catch (IOException e) {
        // One side has closed the connection, so the other side is closed as well.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        reset();
      }
    }

    /** Returns true if the given bytes are the end of the response to a commit. */
    private boolean committed(byte[] piece, int length) {
      int end = length - 1;
      if (!isAt(piece, end - READY.length, end, READY)) {
        return false;
      }
      char before = status;
      status = (char) piece[end];
      return status == 'I'
          && cuts.get() > 0
          && (contains(piece, end, COMMITTED) || (before == 'I' && contains(piece, end, SELECTED)));
    }

    void reset() {
      ways.remove(this);
      closeHard(server);
      closeHard(database);
    }
  }

  private static boolean contains(byte[] piece, int end, byte[] wanted) {
    return IntStream.rangeClosed(0, end - wanted.length)
        .anyMatch(at -> isAt(piece, at, at + wanted.length, wanted));
  }

  private static boolean isAt(byte[] piece, int from, int to, byte[] wanted) {
    return from >= 0 && Arrays.equals(piece, from, to, wanted, 0, wanted.length);
  }

  private static void closeHard(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // The socket was already closed.
    }
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    // New callers are refused first, and then the existing connections are reset.
    listening.close();
    reset();
  }
}
