package org.readpast.faults;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import org.readpast.faults.Story.Begun;
import org.readpast.faults.Story.Over;

/** Receives the reports of handlers, and adds a timestamp to each. */
final class Collector implements AutoCloseable {
  private static final long BESIDE_NANOS = 100_000;

  private final Listening listening = new Listening(this::listen);
  private final Recorder recorder;

  Collector(Recorder recorder) {
    this.recorder = recorder;
  }

  int port() {
    return listening.port();
  }

  private void listen(Socket caller) {
    try (caller;
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(caller.getInputStream(), US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ");
        if (words.length == 4) {
          record(words, Recorder.now());
          caller.getOutputStream().write('.');
        } else {
          record(words, moment(Long.parseLong(words[4])));
        }
      }
    } catch (IOException e) {
      // The server has died; the reports that it has sent count.
    }
  }

  /** Converts a reading of the monotonic clock to the wall clock. */
  private static long moment(long nanos) {
    while (true) {
      long before = System.nanoTime();
      long now = Recorder.now();
      // The two clocks were read immediately after each other.
      if (System.nanoTime() - before < BESIDE_NANOS) {
        return now - (before - nanos) / 1_000;
      }
    }
  }

  private void record(String[] words, long at) {
    int n = Integer.parseInt(words[1]);
    int attempt = Integer.parseInt(words[2]);
    for (String what : words[0].split(",")) {
      if (what.equals("begun")) {
        recorder.begun.add(new Begun(n, attempt, words[3], at));
      } else {
        recorder.over.add(new Over(n, attempt, words[3], what.equals("well"), at));
      }
    }
  }

  @Override
  public void close() {
    listening.close();
  }
}
