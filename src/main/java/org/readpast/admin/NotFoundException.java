package org.readpast.admin;

import java.util.Collection;
import org.readpast.api.ReadpastException;
import org.readpast.model.Names;

/** A job, queue, batch, schedule, rule or node that does not exist. */
public class NotFoundException extends ReadpastException {
  private static final long serialVersionUID = 1L;

  private NotFoundException(String message) {
    super(message);
  }

  /** No job has this id. */
  public static NotFoundException job(long id) {
    return new NotFoundException(
        "job " + id + " does not exist; it never did, or its retention has passed");
  }

  /** id: of a node, or what was given for one. */
  public static NotFoundException node(String id) {
    return new NotFoundException(
        "node '"
            + Names.excerpt(id)
            + "' does not exist; GET /api/nodes lists those that run, and those that have ended in"
            + " the last seven days");
  }

  static NotFoundException batch(String name) {
    return new NotFoundException(
        "batch '"
            + Names.excerpt(name)
            + "' does not exist; it comes to be with its first job, and goes some time after it has"
            + " finished");
  }

  static NotFoundException schedule(String name, Collection<String> known) {
    return new NotFoundException(
        "schedule '" + Names.excerpt(name) + "' does not exist; " + Known.list("schedules", known));
  }

  static NotFoundException queue(String name, Collection<String> known) {
    return new NotFoundException(
        "queue '" + Names.excerpt(name) + "' does not exist; " + Known.list("queues", known));
  }

  static NotFoundException rule(String name, Collection<String> known) {
    return new NotFoundException(
        "rule '" + Names.excerpt(name) + "' does not exist; " + Known.list("rules", known));
  }
}
