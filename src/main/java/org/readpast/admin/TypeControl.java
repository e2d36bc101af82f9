package org.readpast.admin;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.TypeAdmin;
import org.readpast.api.NotFoundException;
import org.readpast.database.Transactions;

/** Limits how many jobs of a job type run concurrently across all nodes. */
public final class TypeControl {
  private final Transactions transactions;
  private final Audit audit;
  private final TypeAdmin types;

  public TypeControl(Transactions transactions, Audit audit) {
    this.transactions = transactions;
    this.audit = audit;
    this.types = new TypeAdmin(transactions);
  }

  /**
   * Sets the limit of a job type across all nodes and queues. Nodes apply the limit within five
   * seconds.
   *
   * @param type the name of the job type without a version; for an alias, the limit of its type is
   *     set
   * @param globalConcurrency the limit; 10000 for no limit, or null for the configured limit
   * @return the job type whose limit was set, and the limit that applies now
   * @throws NotFoundException if no engine has ever registered the job type
   */
  public TypeAdmin.Limit limit(String type, @Nullable Integer globalConcurrency) {
    return transactions.required(
        () -> {
          String limited = types.typeOf(type);
          if (limited == null) {
            throw NotFound.type(type);
          }
          Integer old = types.lock(limited);
          types.change(limited, globalConcurrency);
          audit.did(
              "type.change",
              limited,
              List.of(),
              Map.of("globalConcurrency", Changes.fromTo(old, globalConcurrency)));
          return new TypeAdmin.Limit(limited, types.limit(limited));
        });
  }
}
