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

/** Contains background methods that each break one rule. */
public final class FaultyBackground {
  private FaultyBackground() {}

  /** Has a component that cannot be stored. */
  public record Holder(List<Thread> threads) {}

  /** Cannot be created from JSON. */
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

  /** Is an interface, so a worker could not determine the class. */
  public interface Shape {}

  /** Contains methods with an invalid signature. */
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

  /** Contains methods with arguments that cannot be stored. */
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

  /** Contains a method of a session-scoped bean. */
  @SessionScoped
  public static class OfSession implements Serializable {
    private static final long serialVersionUID = 1;

    @Background
    public void remember(String text) {}
  }
}
