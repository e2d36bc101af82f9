package org.readpast.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.readpast.store.ClaimedJob;
import org.readpast.support.ClaimedJobFactory;
import org.readpast.telemetry.LogFields.Names;

/** Tests that the fields of a job appear in the log, wherever the environment stores them. */
class LogFieldsTest {
  private static final Names NONE = new Names("not.there", "put", "remove");
  private static final Names THERE = new Names(Context.class.getName(), "put", "remove");

  /** Resembles the logging contexts of SLF4J and Open Liberty. */
  public static final class Context {
    static final Map<String, String> VALUES = new TreeMap<>();

    private Context() {}

    public static void put(String name, String value) {
      VALUES.put(name, value);
    }

    public static boolean remove(String name) {
      return VALUES.remove(name) != null;
    }
  }

  private static ClaimedJob job() {
    return ClaimedJobFactory.leased(42, "mail", "send", 3);
  }

  @Test
  void logging_context_of_the_server_has_the_fields_during_the_handler_call() {
    String thread = Thread.currentThread().getName();
    Runnable end = new LogFields(THERE, NONE).set(job(), "abc");
    assertThat(Context.VALUES)
        .isEqualTo(
            Map.of(
                "readpast_job_id", "42",
                "readpast_job_type", "send",
                "readpast_queue", "mail",
                "readpast_attempt", "3",
                "trace_id", "abc"));
    assertThat(Thread.currentThread().getName()).isEqualTo(thread);
    end.run();
    assertThat(Context.VALUES).isEmpty();
  }

  @Test
  void thread_name_has_the_fields_if_the_server_has_no_logging_context() {
    String thread = Thread.currentThread().getName();
    Runnable end = new LogFields(NONE, THERE).set(job(), null);
    assertThat(Thread.currentThread().getName())
        .isEqualTo(
            "readpast_job_id=42 readpast_job_type=send readpast_queue=mail readpast_attempt=3");
    assertThat(Context.VALUES).containsEntry("readpast_job_id", "42").doesNotContainKey("trace_id");
    end.run();
    assertThat(Thread.currentThread().getName()).isEqualTo(thread);
    assertThat(Context.VALUES).isEmpty();
  }
}
