package org.readpast.benchmark;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a process and its children have taken of the processors until now, by process. */
record ProcessorTime(Map<Long, Duration> byProcess) {

  static ProcessorTime of(ProcessHandle process) {
    return new ProcessorTime(
        Stream.concat(Stream.of(process), process.children())
            .collect(
                Collectors.toMap(
                    ProcessHandle::pid,
                    one -> one.info().totalCpuDuration().orElse(Duration.ZERO))));
  }

  /** Returns what has been taken in between, but for processes that have ended since. */
  Duration since(ProcessorTime before) {
    return byProcess.entrySet().stream()
        .map(
            now -> now.getValue().minus(before.byProcess.getOrDefault(now.getKey(), Duration.ZERO)))
        .reduce(Duration.ZERO, Duration::plus);
  }
}
