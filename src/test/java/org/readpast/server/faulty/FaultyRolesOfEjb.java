package org.readpast.server.faulty;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ejb.Stateless;
import org.readpast.api.Handles;
import org.readpast.api.JobType;

/** Is an EJB that its container would not allow a worker to call. */
@Stateless
public class FaultyRolesOfEjb {
  /** Is restricted to chiefs. */
  @JobType("faulty.ejb")
  public record ForChiefs(String text) {}

  @Handles
  @RolesAllowed("chief")
  public void chiefs(ForChiefs payload) {}
}
