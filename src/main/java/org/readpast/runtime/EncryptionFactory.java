package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import org.jspecify.annotations.Nullable;
import org.readpast.api.EncryptionKeys;
import org.readpast.api.PayloadCipher;
import org.readpast.model.AesGcm;
import org.readpast.model.Encryption;

/**
 * Creates the encryption from a {@link PayloadCipher} of the application, or from AES-GCM and the
 * keys of the application's {@link EncryptionKeys} or of the configuration.
 */
@ApplicationScoped
public class EncryptionFactory {
  @Inject Instance<PayloadCipher> ciphers;
  @Inject Instance<EncryptionKeys> keys;
  @Inject Configuration configuration;

  /**
   * Returns the encryption that the application and its configuration define, and adds their
   * errors.
   */
  Encryption encryption(ConfigurationErrors errors) {
    StaticKeys configured = configuration.encryptionKeys(errors);
    PayloadCipher cipher = only(ciphers, PayloadCipher.class, errors);
    EncryptionKeys provided = only(keys, EncryptionKeys.class, errors);
    int sources =
        (configured == null ? 0 : 1) + (cipher == null ? 0 : 1) + (provided == null ? 0 : 1);
    if (sources > 1) {
      errors.add(
          "encryption is defined more than once, by a PayloadCipher bean, an EncryptionKeys"
              + " bean or keys in readpast.encryption; keep one of them");
    }
    if (cipher == null && provided != null) {
      cipher = new AesGcm(provided);
    } else if (cipher == null && configured != null) {
      cipher = new AesGcm(configured);
    }
    boolean properties = errors.flag("readpast.encryption.properties", false);
    return cipher == null ? Encryption.NONE : new Encryption(cipher, properties);
  }

  private static <T> @Nullable T only(
      Instance<T> beans, Class<T> type, ConfigurationErrors errors) {
    if (beans.isAmbiguous()) {
      errors.add("more than one bean has the type " + type.getSimpleName() + "; keep one of them");
    }
    return beans.isResolvable() ? beans.get() : null;
  }
}
