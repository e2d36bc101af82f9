package org.readpast.server.faulty;

import jakarta.ejb.Stateless;
import org.readpast.api.Background;

/** Is an EJB with a method that only a CDI bean may have. */
@Stateless
public class FaultyEjb {
  @Background
  public void work(String text) {}
}
