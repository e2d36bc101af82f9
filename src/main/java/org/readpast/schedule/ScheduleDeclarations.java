package org.readpast.schedule;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Transactions;
import org.readpast.engine.Settings;
import org.readpast.model.Rule;
import org.readpast.model.ScheduleDefinition;
import org.readpast.schedule.Schedules.Declaration;
import org.readpast.schedule.Schedules.OtherDeclaration;
import org.readpast.schedule.Schedules.Owned;
import org.readpast.schedule.Schedules.ToApply;

/**
 * Applies the schedules and rules that an application declares. Each node of the application
 * records its declarations. Among the definitions that live nodes declare, the one whose first
 * declaration is the most recent applies. The definition that applies is that of the newest
 * version, even if a node of an older version starts again. A node applies only its own
 * definitions, so no node needs to understand a definition of another version.
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
  private final DeclaredRules rules;
  private final String owner;
  private final String nodeName;
  private final Map<String, Declared> declared;

  /**
   * Holds a schedule, or a rule with its schedule if it has one, and the place of its declaration,
   * in up to 300 characters.
   */
  public record Declared(@Nullable ScheduleDefinition schedule, @Nullable Rule rule, String place) {
    /** Creates the declaration of a schedule that does not run a rule. */
    public Declared(ScheduleDefinition schedule, String place) {
      this(schedule, null, place);
    }

    private String name() {
      return rule == null
          ? Objects.requireNonNull(schedule).name()
          : Rule.scheduleName(rule.name());
    }

    private String fingerprint() {
      return rule == null ? Objects.requireNonNull(schedule).fingerprint() : rule.fingerprint();
    }
  }

  /** Creates the declarations of an application. */
  public ScheduleDeclarations(
      Transactions transactions, Settings settings, List<Declared> declared, DeclaredRules rules) {
    this.transactions = transactions;
    this.schedules = new Schedules(transactions);
    this.rules = rules;
    this.owner = settings.owner().name();
    this.nodeName = settings.node();
    // The schedules are sorted, so that nodes that start concurrently lock them in the same order.
    this.declared =
        declared.stream()
            .collect(
                Collectors.toMap(Declared::name, one -> one, (one, other) -> one, TreeMap::new));
  }

  /** Declares all schedules and rules; call it in the transaction that registers the node. */
  public void declare(int node) {
    if (declared.isEmpty()) {
      return;
    }
    schedules.declaredByOthers(owner, declared.keySet()).forEach(this::warnOfOther);
    schedules.declare(
        owner,
        node,
        declared.values().stream()
            .map(one -> new Schedules.NodeDeclaration(one.name(), one.fingerprint(), one.place()))
            .toList());
    apply();
  }

  private void warnOfOther(OtherDeclaration other) {
    Declared own = Objects.requireNonNull(declared.get(other.name()));
    Rule rule = own.rule();
    if (rule == null) {
      LOG.log(
          Level.WARNING,
          "READPAST-0055 schedule ''{0}'' is also declared by application ''{1}'' ({2}); the"
              + " definition that was deployed last applies. Give one of the schedules another"
              + " name",
          other.name(),
          other.declaration().owner(),
          other.declaration().place());
    } else if (!own.fingerprint().equals(other.fingerprint())) {
      LOG.log(
          Level.WARNING,
          "READPAST-0059 rule ''{0}'' is declared differently by application ''{1}''; the"
              + " definition that was deployed last applies. Give one of the rules another name",
          rule.name(),
          other.declaration().owner());
    }
  }

  /**
   * Applies the definitions of this node that should apply now, and deletes schedules and rules
   * that their applications no longer declare. Any number of nodes may call this method
   * concurrently.
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
    List<Owned> removedRules = new ArrayList<>();
    List<Owned> removed =
        transactions.requiresNew(
            () -> {
              removedRules.clear();
              removedRules.addAll(rules.withdraw(RESTART));
              return schedules.withdraw(RESTART);
            });
    logRemoval("rule", removedRules);
    logRemoval("schedule", removed);
  }

  private static void logRemoval(String what, List<Owned> removed) {
    for (Owned gone : removed) {
      LOG.log(
          Level.INFO,
          "READPAST-0054 {0} ''{1}'' and its history of runs were removed, because"
              + " application ''{2}'' runs and no longer declares it",
          what,
          gone.name(),
          gone.owner());
    }
  }

  /** Applies definitions of this node; returns the names of the schedules that have changed. */
  private List<String> apply() {
    return schedules.toApply(declared.keySet()).stream()
        .filter(this::apply)
        .map(ToApply::name)
        .toList();
  }

  private boolean apply(ToApply one) {
    Declared own = declared.get(one.name());
    if (own == null || !one.owner().equals(owner) || !one.fingerprint().equals(own.fingerprint())) {
      return false;
    }
    boolean changed = own.rule() != null && rules.apply(own.rule(), owner);
    if (own.schedule() != null) {
      schedules.define(
          own.schedule(),
          new Declaration(owner, nodeName, own.place()),
          one.fingerprint(),
          one.from(),
          true);
      changed = true;
    }
    return changed;
  }
}
