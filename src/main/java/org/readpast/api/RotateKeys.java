package org.readpast.api;

/**
 * Starts a key rotation, as the payload of a job: {@code queue.enqueue(new RotateKeys("2027-05"))}.
 * The job uses the given key to re-encrypt the data that other keys of this application have
 * encrypted. When the member {@code complete} of the job's result is true, the keys that the result
 * lists in {@code replaced} can be removed. See {@link EncryptionKeys}.
 */
@JobType(value = RotateKeys.TYPE, queue = "readpast")
public final class RotateKeys {
  /** Names the job type of key rotations. */
  public static final String TYPE = "readpast.rotate-keys";

  private final String key;

  /**
   * Creates the payload of a key rotation.
   *
   * @param key the id of the current key; nodes that have another current key do not run the job
   */
  public RotateKeys(String key) {
    this.key = key;
  }

  /** Returns the id of the current key. */
  public String getKey() {
    return key;
  }
}
