package org.readpast.api;

/**
 * The payload of a job that encrypts anew with the current key what is encrypted with other keys of
 * this application: {@code queue.enqueue(new RotateKeys())}. Its result says whether it is
 * complete; then the other keys can be taken away. See {@link EncryptionKeys}.
 */
@JobType(value = RotateKeys.TYPE, queue = "readpast")
public final class RotateKeys {
  /** The type of these jobs. */
  public static final String TYPE = "readpast.rotate-keys";
}
