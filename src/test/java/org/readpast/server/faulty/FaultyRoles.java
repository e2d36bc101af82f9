package org.readpast.server.faulty;

import jakarta.annotation.security.DenyAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import org.readpast.api.Handles;
import org.readpast.api.JobType;
import org.readpast.api.Scheduled;

/** Contains handlers with roles that no caller can have. */
@ApplicationScoped
public class FaultyRoles {
  /** Has a handler that no role may call. */
  @JobType("faulty.denied")
  public record Denied(String text) {}

  @Handles
  @DenyAll
  void denied(Denied payload) {}

  @Scheduled(name = "faulty.role", every = "PT1M")
  @RolesAllowed("chief")
  void scheduled() {}
}
