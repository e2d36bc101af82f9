package org.readpast.schedule;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.readpast.database.Transactions;
import org.readpast.engine.Settings;
import org.readpast.model.ScheduleDefinition;
import org.readpast.schedule.Schedules.Declaration;
import org.readpast.schedule.Schedules.OtherDeclaration;
import org.readpast.schedule.Schedules.Owned;
import org.readpast.schedule.Schedules.ToApply;

/**
 * Applies the schedules that an application declares. Each node of the application records its
 * declarations. Among the definitions that live nodes declare, the one whose first declaration is
 * the most recent applies. The definition that applies is that of the newest version, even if a
 * node of an older version starts again. A node applies only its own definitions, so no node needs
 * to understand a definition of another version.
 */
public final class ScheduleDeclarations {
  private static final Logger LOG = System.getLogger(ScheduleDeclarations.class.getName());

  /**
   * Limits the time within which a node that restarts, or its replacement, has to declare its
   * schedules again.
   */
  private static final Duration RESTART = Duration.ofMinutes(10);

  private final Transactions transactions;
  private final Schedules schedules;
  private final String owner;
  private final String nodeName;
  private final Map<String, Declared> declared;

  /** Holds a schedule and the place of its declaration, in up to 300 characters. */
  public record Declared(ScheduleDefinition schedule, String place) {}

  /** Creates the declarations of an application. */
  public ScheduleDeclarations(
      Transactions transactions, Settings settings, List<Declared> declared) {
    this.transactions = transactions;
    this.schedules = new Schedules(transactions);
    this.owner = settings.owner().name();
    this.nodeName = settings.node();
    // The schedules are sorted, so that nodes that start concurrently lock them in the same order.
    this.declared =
        declared.stream()
            .collect(
                Collectors.toMap(
                    one -> one.schedule().name(), one -> one, (one, other) -> one, TreeMap::new));
  }

  /** Declares all schedules; call it in the transaction that registers the node. */
  public void declare(int node) {
    if (declared.isEmpty()) {
      return;
    }
    for (OtherDeclaration other : schedules.declaredByOthers(owner, declared.keySet())) {
      LOG.log(
          Level.WARNING,
          "READPAST-0055 schedule ''{0}'' is also declared by application ''{1}'' ({2}); the"
              + " definition that was deployed last applies. Give one of the schedules another"
              + " name",
          other.name(),
          other.declaration().owner(),
          other.declaration().place());
    }
    schedules.declare(
        owner,
        node,
        declared.values().stream()
            .map(
                one ->
                    new Schedules.NodeDeclaration(
                        one.schedule().name(), one.schedule().fingerprint(), one.place()))
            .toList());
    apply();
  }

  /**
   * Applies the definitions of this node that should apply now, and deletes schedules that their
   * applications no longer declare. Any number of nodes may call this method concurrently.
   */
  void follow() {
    List<String> applied = declared.isEmpty() ? List.of() : transactions.requiresNew(this::apply);
    if (!applied.isEmpty()) {
      LOG.log(
          Level.INFO,
          "READPAST-0058 the definitions that this node declares apply again to schedules {0},"
              + " because no live node declares newer definitions",
          applied);
    }
    for (Owned gone : transactions.requiresNew(() -> schedules.withdraw(RESTART))) {
      LOG.log(
          Level.INFO,
          "READPAST-0054 schedule ''{0}'' and its history of runs were removed, because"
              + " application ''{1}'' runs and no longer declares it",
          gone.name(),
          gone.owner());
    }
  }

  private List<String> apply() {
    return schedules.toApply(declared.keySet()).stream()
        .filter(this::isOwn)
        .map(
            one -> {
              Declared own = Objects.requireNonNull(declared.get(one.name()));
              schedules.define(
                  own.schedule(), new Declaration(owner, nodeName, own.place()), one.from(), true);
              return one.name();
            })
        .toList();
  }

  private boolean isOwn(ToApply one) {
    Declared own = declared.get(one.name());
    return own != null
        && one.owner().equals(owner)
        && one.fingerprint().equals(own.schedule().fingerprint());
  }
}
