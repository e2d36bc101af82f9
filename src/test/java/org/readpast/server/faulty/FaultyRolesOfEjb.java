package org.readpast.server.faulty;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ejb.Stateless;
import org.readpast.api.Handles;
import org.readpast.api.JobType;

/** An EJB that its container would not allow a worker to call. */
@Stateless
public class FaultyRolesOfEjb {
  /** A payload restricted to chiefs. */
  @JobType("faulty.ejb")
  public record ForChiefs(String text) {}

  @Handles
  @RolesAllowed("chief")
  public void chiefs(ForChiefs payload) {}
}
