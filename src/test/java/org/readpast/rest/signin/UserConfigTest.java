package org.readpast.rest.signin;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.security.enterprise.identitystore.PasswordHash;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.model.QueueRoles;
import org.readpast.support.MapConfig;

class UserConfigTest {
  private static final String HASH = "PBKDF2WithHmacSHA256:210000:c2FsdA==:aGFzaA==";

  /** Fails if a hash is computed: only plain-text passwords have to be hashed. */
  private static final PasswordHash NONE =
      new PasswordHash() {
        @Override
        public String generate(char[] password) {
          throw new AssertionError();
        }

        @Override
        public boolean verify(char[] password, String hashed) {
          throw new AssertionError();
        }
      };

  private static UserConfig read(Map<String, String> values) {
    return UserConfig.read(new MapConfig(values), NONE, QueueRoles.NONE.names());
  }

  @Test
  void user_has_a_hash_and_roles() {
    UserConfig read =
        read(
            Map.of(
                "readpast.users", "ann",
                "readpast.user.\"ann\".password-hash", HASH,
                "readpast.user.\"ann\".roles", "readpast-viewer, readpast-operator"));
    assertThat(read.faults()).isEmpty();
    assertThat(read.users())
        .containsExactly(
            Map.entry("ann", new User(HASH, Set.of("readpast-viewer", "readpast-operator"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "secret",
        "MD5:1000:c2FsdA==:aGFzaA==",
        "PBKDF2WithHmacSHA256:0:c2FsdA==:aGFzaA==",
        "PBKDF2WithHmacSHA256:10000001:c2FsdA==:aGFzaA==",
        "PBKDF2WithHmacSHA256:99999999999:c2FsdA==:aGFzaA==",
        "PBKDF2WithHmacSHA256:1000:====:aGFzaA==",
        "PBKDF2WithHmacSHA256:1000:c2FsdA==:a",
        "PBKDF2WithHmacSHA256:1000:c2FsdA==",
      })
  void malformed_hash_is_an_error(String hash) {
    UserConfig read =
        read(
            Map.of(
                "readpast.admin.password-hash",
                hash,
                "readpast.users",
                "ann",
                "readpast.user.\"ann\".password-hash",
                hash,
                "readpast.user.\"ann\".roles",
                "readpast-viewer"));
    assertThat(read.users()).isEmpty();
    assertThat(read.faults())
        .hasSize(2)
        .allMatch(fault -> fault.contains("malformed") && !fault.contains(hash));
    assertThat(read.declared()).containsExactlyInAnyOrder("admin", "ann");
  }
}
