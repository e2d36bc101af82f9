package org.readpast.model;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What a text is, and what it belongs to: a job or something else with a number or a name.
 *
 * @param type of a job, as it is stored; empty: the text stays with it when it gets another one
 */
public record EncryptionContext(String field, String owner, long number, String type) {
  byte[] additionalData() {
    return String.join("\n", field, owner, Long.toString(number), type).getBytes(UTF_8);
  }

  String shown() {
    return "the " + field + " of " + owner + (number == 0 ? "" : " " + number);
  }

  /** The payload of a job, which nobody is to give to a handler of another type. */
  public static EncryptionContext payload(long job, String type) {
    return new EncryptionContext("payload", "job", job, type);
  }

  /** The properties of a job. */
  public static EncryptionContext properties(long job, String type) {
    return new EncryptionContext("properties", "job", job, type);
  }

  /** The result of a job. */
  public static EncryptionContext result(long job, String type) {
    return new EncryptionContext("result", "job", job, type);
  }

  /** The message or the trace of a failed attempt. */
  public static EncryptionContext failure(long job) {
    return new EncryptionContext("failure", "job", job, "");
  }

  /** A line of a job's log. */
  public static EncryptionContext log(long job) {
    return new EncryptionContext("log", "job", job, "");
  }

  /** The payload of a schedule. */
  public static EncryptionContext schedule(String name) {
    return new EncryptionContext("payload", "schedule " + name, 0, "");
  }

  /** An object that a run of a rule has found. */
  public static EncryptionContext found(long run) {
    return new EncryptionContext("object", "run", run, "");
  }

  /** The answer that is kept for an idempotency key. */
  public static EncryptionContext answer(String principal, String key) {
    return new EncryptionContext("answer", "idempotency key " + key, 0, principal);
  }

  /** The sample by which nodes recognize that they have the same key. */
  public static EncryptionContext sample(String key) {
    return new EncryptionContext("sample", "key " + key, 0, "");
  }
}
