package org.readpast.rest;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.SecurityContext;
import java.util.List;
import java.util.Map;
import org.readpast.model.MaskedFields;

/** Who sees which fields of payloads: a viewer not those of {@code readpast.payload.masked}. */
@ApplicationScoped
class Masking {
  @Inject MaskedFields fields;

  /** To be laid over what this caller is shown; one for each answer. */
  PayloadMask of(SecurityContext caller) {
    return seesAll(caller) ? PayloadMask.NONE : new PayloadMask(fields);
  }

  /** Whether what is at this path of payloads is, in whole or in part, masked for this caller. */
  boolean hides(List<String> path, SecurityContext caller) {
    return !seesAll(caller) && fields.touch(path);
  }

  /**
   * Refuses to search what this caller may not see: the answer would tell it.
   *
   * @param wanted values by their paths in payloads
   */
  void check(Map<List<String>, String> wanted, SecurityContext caller) {
    wanted.forEach(
        (path, value) -> {
          if (hides(path, caller)
              || (hidesSome(caller) && (value.startsWith("{") || value.startsWith("[")))) {
            throw RequestException.forbidden(
                "payload."
                    + RequestException.quote(String.join(".", path))
                    + " is masked for viewers, or has masked fields in it; an operator may search"
                    + " it");
          }
        });
  }

  private boolean hidesSome(SecurityContext caller) {
    return !fields.none() && !seesAll(caller);
  }

  private static boolean seesAll(SecurityContext caller) {
    return caller.isUserInRole(Roles.OPERATOR) || caller.isUserInRole(Roles.ADMIN);
  }
}
