package org.readpast.faults;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import org.readpast.faults.Story.Begun;
import org.readpast.faults.Story.Over;

/** Takes the reports of handlers, and stamps them. */
final class Collector implements AutoCloseable {
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
        record(line.split(" ", 4));
        caller.getOutputStream().write('.');
      }
    } catch (IOException e) {
      // The server has died; what it said counts.
    }
  }

  private void record(String[] words) {
    int n = Integer.parseInt(words[1]);
    int attempt = Integer.parseInt(words[2]);
    long now = Recorder.now();
    if (words[0].equals("begun")) {
      recorder.begun.add(new Begun(n, attempt, words[3], now));
    } else {
      recorder.over.add(new Over(n, attempt, words[3], words[0].equals("well"), now));
    }
  }

  @Override
  public void close() {
    listening.close();
  }
}
