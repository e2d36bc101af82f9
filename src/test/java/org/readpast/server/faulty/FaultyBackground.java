package org.readpast.server.faulty;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.SessionScoped;
import java.io.InputStream;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.readpast.api.Background;
import org.readpast.api.Handles;
import org.readpast.api.JobType;

/** One method for each rule of background methods that it breaks. */
public final class FaultyBackground {
  private FaultyBackground() {}

  /** A record that holds what cannot be kept. */
  public record Holder(List<Thread> threads) {}

  /** A bean that cannot be made from JSON. */
  public static class Unmakeable {
    private final int value;

    public Unmakeable(int value) {
      this.value = value;
    }

    public int getValue() {
      return value;
    }
  }

  record Hidden(String text) {}

  /** Something of which a worker could not know the class. */
  public interface Shape {}

  /** In wrong shapes. */
  @Dependent
  public static class OfWrongShape {
    @Background
    void hidden(String text) {}

    @Background
    public static void fixed(String text) {}

    @Background
    public final void last(String text) {}

    @Background
    public String answering(String text) {
      return text;
    }

    @Background
    public void twice(String text) {}

    @Background
    public void twice(int number) {}

    @Background
    @Handles
    @JobType("faulty.both")
    public void both(String text) {}

    @Background(type = "no such name", priority = 11)
    public void named(String text) {}
  }

  /** With arguments that cannot be kept. */
  @ApplicationScoped
  public static class OfWrongArguments {
    @Background
    public void stream(String text, InputStream stream) {}

    @Background
    public void holder(Map<String, Holder> holders) {}

    @Background
    public void unmakeable(Unmakeable made) {}

    @Background
    public void record(Hidden hidden) {}

    @Background
    public void shape(Shape shape) {}

    @Background
    @SuppressWarnings("rawtypes")
    public void raw(List list) {}

    @Background
    public <T> void variable(T any) {}
  }

  /** Of a session. */
  @SessionScoped
  public static class OfSession implements Serializable {
    private static final long serialVersionUID = 1;

    @Background
    public void remember(String text) {}
  }
}
