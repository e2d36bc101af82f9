package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.stream.Collectors;
import org.readpast.database.Outage;
import org.readpast.database.Transactions;
import org.readpast.engine.Settings.ConfiguredTypeLimits;
import org.readpast.model.StoredType;
import org.readpast.store.Nodes;
import org.readpast.store.Registrations;
import org.readpast.store.Registrations.Conflict;
import org.readpast.store.Registrations.Handled;
import org.readpast.store.Registrations.UnhandledType;
import org.readpast.store.TypeLimitStore;

/**
 * Registers the types that this node handles. When the node starts, it also logs two kinds of
 * warnings: another application expects a different payload for a type, and no node handles certain
 * jobs anymore.
 */
final class TypeRegistry {
  private static final Logger LOG = System.getLogger(TypeRegistry.class.getName());
  private static final int MOST_NAMED = 20;

  private final Settings settings;
  private final HandlerRegistry handlers;
  private final Transactions transactions;
  private final Registrations registrations;
  private final Outage outage;

  TypeRegistry(
      Settings settings, HandlerRegistry handlers, Transactions transactions, Outage outage) {
    this.settings = settings;
    this.handlers = handlers;
    this.transactions = transactions;
    this.registrations = new Registrations(transactions);
    this.outage = outage;
  }

  /** Registers all types with their aliases and limits, in the current transaction. */
  void registerTypes(Nodes nodes, TypeLimits inForce) {
    ConfiguredTypeLimits configured = settings.typeLimits();
    TypeLimitStore limits = new TypeLimitStore(transactions);
    // Aliases are deleted first: the statements below lock rows in the order of their names on all
    // nodes.
    limits.forgetAliases(
        handlers.all().stream()
            .map(HandlerDefinition::type)
            .filter(type -> configured.aliasOf(type) == null)
            .map(StoredType::nameOf)
            .collect(Collectors.toSet()),
        configured.aliases().keySet());
    for (HandlerDefinition handler : handlers.all()) {
      String type = handler.type();
      nodes.registerType(type, handler.retries().maxAttempts(), configured.aliasOf(type));
    }
    limits.configure(configured.overAllNodes());
    inForce.set(limits.all());
  }

  /** Registers the types that a node handles, in the current transaction. */
  void register(int node) {
    List<Handled> handled =
        settings.workerEnabled()
            ? handlers.all().stream().map(h -> new Handled(h.type(), h.shape())).toList()
            : List.of();
    registrations.register(node, settings.owner().name(), handled);
  }

  /**
   * Logs the warnings when the node starts. All jobs are scanned only if there are types that are
   * no longer handled.
   */
  void report(int node) {
    try {
      List<Conflict> conflicts = transactions.requiresNew(() -> registrations.conflicts(node));
      conflicts.stream().limit(MOST_NAMED).forEach(this::log);
      List<UnhandledType> unhandled =
          transactions.requiresNew(() -> registrations.takeUnhandled(settings.owner().name()));
      if (!unhandled.isEmpty()) {
        logUnhandled(unhandled);
      }
      LOG.log(Level.DEBUG, "node {0} has compared its job types with those of other nodes", node);
    } catch (RuntimeException e) {
      outage.warn(
          LOG,
          "READPAST-0037 this node could not check whether jobs wait that no node handles"
              + " (READPAST-0035), or whether two applications handle one type differently"
              + " (READPAST-0036); it checks again at its next start",
          e);
    }
  }

  private void log(Conflict conflict) {
    LOG.log(
        Level.WARNING,
        "READPAST-0036 applications ''{0}'' and ''{1}'' handle the same job type {2} with"
            + " different payloads, {3} and {4}, so each may claim jobs that it cannot read."
            + " Give one of the types another name, or another version in @JobType",
        settings.owner().name(),
        conflict.application(),
        StoredType.of(conflict.type()),
        conflict.shape(),
        conflict.otherShape());
  }

  private void logUnhandled(List<UnhandledType> unhandled) {
    StringBuilder all = new StringBuilder();
    for (UnhandledType one : unhandled.stream().limit(MOST_NAMED).toList()) {
      all.append(all.isEmpty() ? "" : "; ")
          .append(one.jobs() >= UnhandledType.MOST_COUNTED ? "at least " : "")
          .append(one.jobs())
          .append(" of type ")
          .append(StoredType.of(one.type()));
      if (one.shapeNow() != null) {
        all.append(" that were enqueued with arguments ")
            .append(one.shape())
            .append(", while the method now takes ")
            .append(one.shapeNow());
      }
    }
    LOG.log(
        Level.WARNING,
        "READPAST-0035 jobs wait that application ''{0}'' used to handle and that no running"
            + " node handles now: {1}. Deploy their handlers again, name the old type in"
            + " aliases of @JobType, move the jobs to another type (console, POST"
            + " /api/jobs/bulk), or cancel them",
        settings.owner().name(),
        all);
  }
}
