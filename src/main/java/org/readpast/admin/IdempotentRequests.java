package org.readpast.admin;

import java.util.function.Supplier;
import org.readpast.admin.store.KeptAnswers;
import org.readpast.model.QueueAccess;
import org.readpast.store.Transactions;

/** Executes a request once for each key, and returns the first answer to its repetitions. */
public final class IdempotentRequests {
  private final Transactions transactions;
  private final KeptAnswers answers;

  public IdempotentRequests(Transactions transactions) {
    this.transactions = transactions;
    this.answers = new KeptAnswers(transactions);
  }

  /**
   * Executes the request, unless this caller executed it under this key in the last 24 hours. The
   * key, the effects and the answer are committed together, so a request that throws leaves the key
   * free.
   *
   * @param fingerprint identifies the request, so that another request is recognized; up to 64
   *     characters
   * @param access the caller's roles
   * @param request executes the request and returns the answer
   * @throws KeyReusedException if the key was used with another request
   * @throws AccessDeniedException if the caller has lost a role since the first answer, because the
   *     answer may show what the caller no longer sees
   */
  public String once(
      String principal,
      String key,
      String fingerprint,
      QueueAccess access,
      Supplier<String> request) {
    return transactions.required(
        () -> {
          // The stored response can be pruned between the two statements; the key is then free
          // again.
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
