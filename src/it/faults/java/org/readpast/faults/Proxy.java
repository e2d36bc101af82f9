package org.readpast.faults;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The way from one server to the database, which can be bad in several manners. */
final class Proxy implements AutoCloseable {
  // What PostgreSQL answers to a COMMIT that it has carried out.
  private static final byte[] COMMITTED = "C\0\0\0\013COMMIT\0".getBytes(US_ASCII);

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

  /** Ends every connection by a TCP reset. */
  void reset() {
    ways.forEach(Way::reset);
  }

  /** Holds each piece up in both directions; 0: no more. */
  void delay(long millis) {
    delayMillis = millis;
  }

  /** Lets nothing through, and ends nothing, until {@code false}. */
  void swallow(boolean on) {
    swallowing = on;
    if (!on) {
      reset();
    }
  }

  /**
   * Ends the next connections that commit, after the database has done so and before the server
   * hears of it.
   */
  void cutAfterCommit(int connections) {
    cutsMade.set(0);
    cuts.set(connections);
  }

  /** How many connections {@link #cutAfterCommit} has ended; ends no more. */
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

  /** One connection. */
  private final class Way {
    private final Socket server;
    private final Socket database;

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
          if (answers && cuts.get() > 0 && commits(piece, length) && cuts.getAndDecrement() > 0) {
            cutsMade.incrementAndGet();
            break;
          }
          out.write(piece, 0, length);
        }
      } catch (IOException e) {
        // One of both has gone; so does the other.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        reset();
      }
    }

    void reset() {
      ways.remove(this);
      closeHard(server);
      closeHard(database);
    }
  }

  private static boolean commits(byte[] piece, int length) {
    for (int at = 0; at + COMMITTED.length <= length; at++) {
      int same = 0;
      while (same < COMMITTED.length && piece[at + same] == COMMITTED[same]) {
        same++;
      }
      if (same == COMMITTED.length) {
        return true;
      }
    }
    return false;
  }

  private static void closeHard(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // Closed already.
    }
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    // Nobody calls any more, and then nobody is left.
    listening.close();
    reset();
  }
}
