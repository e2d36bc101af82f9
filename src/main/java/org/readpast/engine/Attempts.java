package org.readpast.engine;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRequest;
import org.readpast.model.NewJob;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;
import org.readpast.store.Nodes;
import org.readpast.store.Transactions;

/**
 * Makes the contexts of attempts, and carries what they tell to the database on the node's own
 * connection.
 */
final class Attempts implements Attempt.Reporter {
  private static final int LONGEST_LINE = 4_000;

  private final Transactions transactions;
  private final Claims claims;
  private final Nodes nodes;
  private final Function<JobRequest, NewJob> preparation;
  private final Function<@Nullable String, Map<String, String>> propertyReader;

  Attempts(
      Transactions transactions,
      Claims claims,
      Nodes nodes,
      Function<JobRequest, NewJob> preparation,
      Function<@Nullable String, Map<String, String>> propertyReader) {
    this.transactions = transactions;
    this.claims = claims;
    this.nodes = nodes;
    this.preparation = preparation;
    this.propertyReader = propertyReader;
  }

  Attempt begin(ClaimedJob job, Handling handling, AloneGate.Turn turn) {
    return new Attempt(job, propertyReader.apply(job.properties()), handling.timeout(), turn, this);
  }

  @Override
  public boolean stillOwner(ClaimedJob job) {
    return job.leased() ? transactions.fresh(() -> claims.owns(job)) : transactions.committable();
  }

  @Override
  public void progress(ClaimedJob job, long done, long total) {
    transactions.fresh(
        () -> {
          nodes.progress(job.id(), done, total);
          return true;
        });
  }

  @Override
  public void log(ClaimedJob job, String line) {
    String storable = line.replace('\0', '\uFFFD');
    String cut = storable.length() <= LONGEST_LINE ? storable : storable.substring(0, LONGEST_LINE);
    transactions.fresh(
        () -> {
          nodes.log(job.id(), job.attempt(), cut);
          return true;
        });
  }

  @Override
  public NewJob prepare(JobRequest request) {
    return preparation.apply(request);
  }
}
