package org.readpast.model;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Identifies a value and what it belongs to: a job, or another object with a number or a name.
 *
 * @param type the stored type of a job; empty if the text does not depend on the job's type
 */
public record EncryptionContext(String field, String owner, long number, String type) {
  byte[] additionalData() {
    return String.join("\n", field, owner, Long.toString(number), type).getBytes(UTF_8);
  }

  String shown() {
    return "the " + field + " of " + owner + (number == 0 ? "" : " " + number);
  }

  /**
   * Returns the context of a job's payload, which must not be passed to a handler of another type.
   */
  public static EncryptionContext payload(long job, String type) {
    return new EncryptionContext("payload", "job", job, type);
  }

  /** Returns the context of a job's properties. */
  public static EncryptionContext properties(long job, String type) {
    return new EncryptionContext("properties", "job", job, type);
  }

  /** Returns the context of a job's result. */
  public static EncryptionContext result(long job, String type) {
    return new EncryptionContext("result", "job", job, type);
  }

  /** Returns the context of the message or the trace of a failed attempt. */
  public static EncryptionContext failure(long job) {
    return new EncryptionContext("failure", "job", job, "");
  }

  /** Returns the context of a line of a job's log. */
  public static EncryptionContext log(long job) {
    return new EncryptionContext("log", "job", job, "");
  }

  /** Returns the context of a schedule's payload. */
  public static EncryptionContext schedule(String name) {
    return new EncryptionContext("payload", "schedule " + name, 0, "");
  }

  /** Returns the context of an object that a run of a rule has found. */
  public static EncryptionContext found(long run) {
    return new EncryptionContext("object", "run", run, "");
  }

  /** Returns the context of the response that is stored for an idempotency key. */
  public static EncryptionContext answer(String principal, String key) {
    return new EncryptionContext("answer", "idempotency key " + key, 0, principal);
  }

  /** Returns the context of the sample by which nodes check that they have the same key. */
  public static EncryptionContext sample(String key) {
    return new EncryptionContext("sample", "key " + key, 0, "");
  }
}
