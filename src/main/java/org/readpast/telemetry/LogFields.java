package org.readpast.telemetry;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.model.StoredType;
import org.readpast.store.ClaimedJob;

/**
 * Adds the identity of a job to the log entries of its handler. {@code java.util.logging} has no
 * such feature, so this class uses what the environment provides: Open Liberty's {@code
 * LogRecordContext}, which appears in its JSON logs; SLF4J's MDC, if the application contains
 * SLF4J; and otherwise the name of the thread, which Payara's logs show in every line.
 */
final class LogFields {
  static final String JOB = "readpast_job_id";
  static final String TYPE = "readpast_job_type";
  static final String QUEUE = "readpast_queue";
  static final String ATTEMPT = "readpast_attempt";
  static final String TRACE = "trace_id";
  private static final String[] ALL = {JOB, TYPE, QUEUE, ATTEMPT, TRACE};

  private final List<Place> places = new ArrayList<>();
  private final boolean byThreadName;

  private record Place(MethodHandle put, MethodHandle remove) {
    void put(String name, String value) {
      try {
        put.invokeExact(name, value);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    void remove(String name) {
      try {
        remove.invokeExact(name);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /**
   * Finds the classes that exist in this environment.
   *
   * @param server the names of the server's own class and its methods
   * @param application the names of a class that the application may contain, and of its methods
   */
  LogFields(Names server, Names application) {
    byThreadName = !add(server);
    add(application);
  }

  /**
   * Holds the names of a class and of its methods, which add a field (name, value) and remove a
   * field (name).
   */
  record Names(String type, String put, String remove) {}

  static LogFields find() {
    return new LogFields(
        new Names(
            "com.ibm.websphere.logging.hpel.LogRecordContext", "addExtension", "removeExtension"),
        new Names("org.slf4j.MDC", "put", "remove"));
  }

  private boolean add(Names names) {
    try {
      Class<?> type = Class.forName(names.type());
      Method put = type.getMethod(names.put(), String.class, String.class);
      Method remove = type.getMethod(names.remove(), String.class);
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      places.add(
          new Place(
              lookup
                  .unreflect(put)
                  .asType(MethodType.methodType(void.class, String.class, String.class)),
              lookup.unreflect(remove).asType(MethodType.methodType(void.class, String.class))));
      return true;
    } catch (ReflectiveOperationException | LinkageError e) {
      return false;
    }
  }

  /** Sets the fields; the returned step removes them and must be run on the same thread. */
  Runnable set(ClaimedJob job, @Nullable String trace) {
    // The values are in an array, because creating a map takes almost as long as a small job.
    String[] values = {
      Long.toString(job.id()),
      StoredType.nameOf(job.type()),
      job.queue(),
      Integer.toString(job.attempt()),
      trace
    };
    int number = trace == null ? values.length - 1 : values.length;
    for (Place place : places) {
      for (int i = 0; i < number; i++) {
        place.put(ALL[i], values[i]);
      }
    }
    Thread thread = Thread.currentThread();
    String before = thread.getName();
    if (byThreadName) {
      thread.setName(name(values, number));
    }
    return () -> {
      for (Place place : places) {
        for (String field : ALL) {
          place.remove(field);
        }
      }
      if (byThreadName) {
        thread.setName(before);
      }
    };
  }

  private static String name(@Nullable String[] values, int number) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < number; i++) {
      name.append(i == 0 ? "" : " ").append(ALL[i]).append('=').append(values[i]);
    }
    return name.toString();
  }
}
