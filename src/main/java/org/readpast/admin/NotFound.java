package org.readpast.admin;

import java.util.Collection;
import org.readpast.api.NotFoundException;
import org.readpast.model.Names;

/** Creates the exceptions for objects that do not exist. */
public final class NotFound {
  private NotFound() {}

  /** Reports that no job has this id. */
  public static NotFoundException job(long id) {
    return new NotFoundException(
        "job " + id + " does not exist; it never existed, or its retention has passed");
  }

  /** Reports that no live job has this unique key. */
  public static NotFoundException uniqueKey(String key) {
    return new NotFoundException(
        "no live job holds the unique key '"
            + Names.excerpt(key)
            + "'; its job has ended, or no job was enqueued with it");
  }

  /** Reports that a node does not exist; {@code id} is the given id or text. */
  public static NotFoundException node(String id) {
    return new NotFoundException(
        "node '"
            + Names.excerpt(id)
            + "' does not exist; GET /api/nodes lists the nodes that run, and those that"
            + " have ended in the last seven days");
  }

  static NotFoundException batch(String name) {
    return new NotFoundException(
        "batch '"
            + Names.excerpt(name)
            + "' does not exist; a batch is created with its first job, and removed some"
            + " time after it has finished");
  }

  static NotFoundException schedule(String name, Collection<String> known) {
    return new NotFoundException(
        "schedule '"
            + Names.excerpt(name)
            + "' does not exist; "
            + KnownNames.list("schedules", known));
  }

  static NotFoundException queue(String name, Collection<String> known) {
    return new NotFoundException(
        "queue '" + Names.excerpt(name) + "' does not exist; " + KnownNames.list("queues", known));
  }

  static NotFoundException type(String name) {
    return new NotFoundException(
        "job type '"
            + Names.excerpt(name)
            + "' does not exist: no engine has ever registered a handler for it");
  }

  static NotFoundException rule(String name, Collection<String> known) {
    return new NotFoundException(
        "rule '" + Names.excerpt(name) + "' does not exist; " + KnownNames.list("rules", known));
  }
}
