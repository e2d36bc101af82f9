package org.readpast.api;

/**
 * The payload of a job that encrypts anew with one key what is encrypted with other keys of this
 * application: {@code queue.enqueue(new RotateKeys("2027-05"))}. Its result has {@code complete};
 * once that is true, the keys that the result names in {@code replaced} can be taken away. See
 * {@link EncryptionKeys}.
 */
@JobType(value = RotateKeys.TYPE, queue = "readpast")
public final class RotateKeys {
  /** The type of these jobs. */
  public static final String TYPE = "readpast.rotate-keys";

  private final String key;

  /** key: the id of the current key; nodes with another current key leave the job alone. */
  public RotateKeys(String key) {
    this.key = key;
  }

  /** Returns the id of the key. */
  public String getKey() {
    return key;
  }
}
