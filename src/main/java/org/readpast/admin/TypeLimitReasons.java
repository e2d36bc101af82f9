package org.readpast.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.ReasonReads;
import org.readpast.admin.store.ReasonReads.TypeLimit;
import org.readpast.engine.Settings;
import org.readpast.model.StoredType;

/** Explains how the limits of its type keep a job from running. */
final class TypeLimitReasons {
  private final ReasonReads reads;
  private final Settings.@Nullable ConfiguredTypeLimits configured;
  private final String type;
  private final @Nullable Integer onEachNode;
  private final @Nullable TypeLimit overAllNodes;

  /**
   * @param settings this node's configuration, or null if it is not known yet
   * @param stored the job type in its stored form
   */
  TypeLimitReasons(ReasonReads reads, @Nullable Settings settings, String stored) {
    this.reads = reads;
    this.configured = settings == null ? null : settings.typeLimits();
    this.overAllNodes = reads.typeLimit(stored);
    String own = configured == null ? null : configured.aliasOf(stored);
    this.type = own == null ? StoredType.nameOf(stored) : own;
    this.onEachNode = configured == null ? null : configured.onThisNode().get(type);
  }

  /** Adds a reason if a limit allows no jobs at all. */
  void addIfZero(List<String> reasons) {
    if (onEachNode != null && onEachNode == 0) {
      reasons.add("the concurrency of type '" + type + "' is 0: raise it");
    }
    if (overAllNodes != null && overAllNodes.most() == 0) {
      reasons.add(
          "the concurrency of type '" + overAllNodes.type() + "' over all nodes is 0: raise it");
    }
  }

  /**
   * Adds a reason if a limit has been reached.
   *
   * @param nodes the number of nodes that could run the job
   */
  void addIfReached(long nodes, List<String> reasons) {
    if (overAllNodes != null && overAllNodes.leased() >= overAllNodes.most()) {
      reasons.add(
          "limit reached: type '"
              + overAllNodes.type()
              + "' may run "
              + overAllNodes.most()
              + " jobs on all nodes together, and does");
    } else if (configured != null
        && onEachNode != null
        && reads.begun(configured.names(type)) >= nodes * onEachNode) {
      reasons.add(
          "limit reached: as many jobs of type '"
              + type
              + "' are running as nodes may run (up to "
              + onEachNode
              + " on each node)");
    }
  }
}
