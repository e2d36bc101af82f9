package org.readpast.admin;

import java.util.function.Supplier;
import org.readpast.admin.store.KeptAnswers;
import org.readpast.database.Transactions;
import org.readpast.model.QueueAccess;

/**
 * Executes each request in one transaction. A request with an idempotency key is executed once; a
 * repeated request returns the first response.
 */
public final class IdempotentRequests {
  private final Transactions transactions;
  private final KeptAnswers answers;

  public IdempotentRequests(Transactions transactions) {
    this.transactions = transactions;
    this.answers = new KeptAnswers(transactions);
  }

  /**
   * Executes a request without an idempotency key. A job that the request changes cannot end before
   * the request has read it, and a request that fails changes nothing.
   */
  public <T> T execute(Supplier<T> request) {
    return transactions.required(request);
  }

  /**
   * Executes the request, unless the caller has executed it with the same key in the last 24 hours.
   * The key, the effects and the response are committed together, so the key stays free if the
   * request throws an exception.
   *
   * @param fingerprint identifies the content of the request, up to 64 characters; a different
   *     request with the same key is refused
   * @param access the caller's roles
   * @param request executes the request and returns its response
   * @throws KeyReusedException if the key was used with another request
   * @throws AccessDeniedException if the caller has lost a role since the first response, because
   *     that may show data that the caller no longer sees
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
