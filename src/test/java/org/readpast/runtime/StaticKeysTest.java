package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.api.ReadpastException;

class StaticKeysTest {
  private static final String KEY = base64(32, 1);

  @TempDir Path directory;
  private final Map<String, String> said = new HashMap<>();
  private final ConfigurationErrors errors =
      new ConfigurationErrors(key -> Optional.ofNullable(said.get(key)));

  private static String base64(int bytes, int fill) {
    return Base64.getEncoder().encodeToString(bytes(bytes, fill));
  }

  private static byte[] bytes(int many, int fill) {
    byte[] bytes = new byte[many];
    java.util.Arrays.fill(bytes, (byte) fill);
    return bytes;
  }

  private @Nullable StaticKeys read(String... names) {
    return StaticKeys.read(Set.of(names), errors);
  }

  private void say(String key, String value) {
    said.put("readpast.encryption." + key, value);
  }

  @Test
  void missing_configuration_means_no_keys() {
    assertThat(read()).isNull();
    errors.report();
  }

  @Test
  void keys_are_read_from_the_configuration_a_file_and_a_key_store() throws Exception {
    say("key.\"one\"", KEY);
    say(
        "key-file",
        Files.writeString(directory.resolve("keys"), "two=" + base64(32, 2)).toString());
    say("key-store", store("three", bytes(32, 3)).toString());
    say("key-store-password", "changeit");
    say("current-key", "three");
    StaticKeys keys = Objects.requireNonNull(read("one"));
    errors.report();
    assertThat(keys.current()).isEqualTo("three");
    for (Map.Entry<String, Integer> one : Map.of("one", 1, "two", 2, "three", 3).entrySet()) {
      SecretKey key = Objects.requireNonNull(keys.find(one.getKey()));
      assertThat(key.getEncoded()).isEqualTo(bytes(32, one.getValue()));
    }
    assertThat(keys.find("four")).isNull();
  }

  private Path store(String alias, byte[] key) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setEntry(
        alias,
        new KeyStore.SecretKeyEntry(new SecretKeySpec(key, "AES")),
        new KeyStore.PasswordProtection("changeit".toCharArray()));
    Path file = directory.resolve("keys.p12");
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, "changeit".toCharArray());
    }
    return file;
  }

  @Test
  void current_key_none_only_decrypts() {
    say("key.\"one\"", KEY);
    say("current-key", "none");
    StaticKeys keys = Objects.requireNonNull(read("one"));
    errors.report();
    assertThat(keys.current()).isNull();
    assertThat(keys.find("one")).isNotNull();
  }

  @Test
  void errors_are_named_and_reveal_no_key() throws Exception {
    say("key.\"short\"", base64(16, 1));
    say("key.\"odd\"", "not base64 at all!");
    say("key.\"bad id\"", KEY);
    say("key-file", directory.resolve("missing").toString());
    say("key-store", store("x", bytes(32, 3)).toString());
    say("key-store-password", "wrong-password");
    read("short", "odd", "bad id");
    assertThatThrownBy(errors::report)
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("readpast.encryption.key.\"short\" has 16 bytes")
        .hasMessageContaining("readpast.encryption.key.\"odd\" is not Base64")
        .hasMessageContaining("the id of a key is 'bad id'")
        .hasMessageContaining("readpast.encryption.key-file is '")
        .hasMessageContaining("readpast.encryption.key-store is '")
        .hasMessageContaining("readpast.encryption.current-key is ''")
        .hasMessageNotContaining(base64(16, 1))
        .hasMessageNotContaining("not base64 at all!")
        .hasMessageNotContaining("wrong-password");
  }

  @Test
  void keys_without_a_current_key_are_refused() {
    say("key.\"one\"", KEY);
    say("current-key", "two");
    read("one");
    assertThatThrownBy(errors::report)
        .hasMessageContaining("readpast.encryption.current-key is 'two'")
        .hasMessageContaining("specify the id of one of the keys [one], or none to decrypt only");
  }
}
