package org.readpast.schedule;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.readpast.engine.Settings;
import org.readpast.model.ScheduleDefinition;
import org.readpast.schedule.Schedules.Declaration;
import org.readpast.store.Transactions;

/** Brings what an application declares into the database when it starts. */
public final class ScheduleDeclarations {
  private static final Logger LOG = System.getLogger(ScheduleDeclarations.class.getName());

  private final String application;
  private final List<Declared> declared;

  /** One schedule, and where it is declared: up to 300 characters. */
  public record Declared(ScheduleDefinition schedule, String place) {}

  /** All that an application declares; what it has declared before and does no more is removed. */
  public ScheduleDeclarations(String application, List<Declared> declared) {
    this.application = application;
    // In one order, so that nodes that start at once wait for each other only.
    this.declared =
        declared.stream().sorted(Comparator.comparing(d -> d.schedule().name())).toList();
  }

  /**
   * Stores them; to be called before the engine starts.
   *
   * @param check warns of a schedule that leaves its jobs too little time
   */
  public void store(
      Transactions transactions, Settings settings, Consumer<ScheduleDefinition> check) {
    Schedules schedules = new Schedules(transactions);
    List<String> removed =
        transactions.requiresNew(
            () -> {
              declared.forEach(one -> define(schedules, one, settings.node()));
              return schedules.withdraw(
                  application,
                  settings.node(),
                  declared.stream().map(one -> one.schedule().name()).toList());
            });
    if (!removed.isEmpty()) {
      LOG.log(
          Level.INFO,
          "READPAST-0054 schedules {0} are not declared any more and were removed",
          removed);
    }
    declared.forEach(one -> check.accept(one.schedule()));
  }

  private void define(Schedules schedules, Declared one, String node) {
    String name = one.schedule().name();
    Schedules.Standing before = schedules.lockDeclaration(name);
    Declaration other = before == null ? null : before.declaration();
    if (other != null && !other.application().equals(application)) {
      LOG.log(
          Level.WARNING,
          "READPAST-0055 schedule ''{0}'' is declared by application ''{1}'' too ({2}); the one that"
              + " started last applies, so give one of them another name",
          name,
          other.application(),
          other.place());
    }
    schedules.define(one.schedule(), new Declaration(application, node, one.place()), true);
  }
}
