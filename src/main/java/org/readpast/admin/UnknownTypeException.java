package org.readpast.admin;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRejectedException;

/** Reports that a job was not enqueued, because no engine has ever registered its type. */
public class UnknownTypeException extends JobRejectedException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an instance; {@code known} is null if the caller is not allowed to see the known types.
   */
  UnknownTypeException(Collection<String> unknown, @Nullable Collection<String> known) {
    super(
        "no engine has ever registered a handler for type '"
            + String.join("', '", unknown.stream().sorted().limit(10).toList())
            + "'; deploy a handler for it first, or correct the name"
            + (known == null ? "" : "; " + KnownNames.list("types", known)));
  }
}
