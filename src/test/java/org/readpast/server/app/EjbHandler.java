package org.readpast.server.app;

import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import org.readpast.api.Handles;

/** Handles jobs with a method of an EJB, in the container's transaction. */
@Stateless
public class EjbHandler {
  @Inject Script script;
  @Inject Rows rows;

  @Handles
  public void handle(Payloads.ToEjb question) {
    rows.write(question.text());
    script.saw(question.text(), question);
  }
}
