package org.readpast.benchmark;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Holds the processor time that a process and its children have used until now, by process. */
record ProcessorTime(Map<Long, Duration> byProcess) {

  static ProcessorTime of(ProcessHandle process) {
    return new ProcessorTime(
        Stream.concat(Stream.of(process), process.children())
            .collect(
                Collectors.toMap(
                    ProcessHandle::pid,
                    one -> one.info().totalCpuDuration().orElse(Duration.ZERO))));
  }

  /**
   * Returns the time used since the given measurement, except by processes that have ended in the
   * meantime.
   */
  Duration since(ProcessorTime before) {
    return byProcess.entrySet().stream()
        .map(
            now -> now.getValue().minus(before.byProcess.getOrDefault(now.getKey(), Duration.ZERO)))
        .reduce(Duration.ZERO, Duration::plus);
  }
}
