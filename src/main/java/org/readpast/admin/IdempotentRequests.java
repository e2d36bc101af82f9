package org.readpast.admin;

import java.util.function.Supplier;
import org.readpast.admin.store.KeptAnswers;
import org.readpast.model.QueueAccess;
import org.readpast.store.Transactions;

/** Does a request once for each key, and gives the first answer to its repetitions. */
public final class IdempotentRequests {
  private final Transactions transactions;
  private final KeptAnswers answers;

  public IdempotentRequests(Transactions transactions) {
    this.transactions = transactions;
    this.answers = new KeptAnswers(transactions);
  }

  /**
   * Does the request, unless this caller did it under this key in the last 24 hours. Key, effects
   * and answer are committed together: a request that throws leaves the key free.
   *
   * @param fingerprint tells whether a request is the same, up to 64 characters
   * @param access the caller's roles
   * @param request does it and gives the answer
   * @throws KeyReusedException if the key came with another request
   * @throws AccessDeniedException if the caller has lost a role since the first answer, which may
   *     show what it does not see any more
   */
  public String once(
      String principal,
      String key,
      String fingerprint,
      QueueAccess access,
      Supplier<String> request) {
    return transactions.required(
        () -> {
          // The kept answer can be pruned between the two statements; then the key is free.
          while (!answers.claim(principal, key, fingerprint)) {
            KeptAnswers.Kept kept = answers.find(principal, key);
            if (kept == null) {
              continue;
            }
            String answer = kept.answer();
            if (answer == null || !kept.fingerprint().equals(fingerprint)) {
              throw new KeyReusedException(key);
            }
            if (kept.access() != null && !access.covers(kept.access())) {
              throw AccessDeniedException.repeated(key);
            }
            return answer;
          }
          String answer = request.get();
          answers.keep(principal, key, answer, access);
          return answer;
        });
  }
}
