package org.readpast.rest.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class BasicCredentialTest {

  @Test
  void name_and_password_are_decoded_as_utf_8() {
    String encoded =
        Base64.getEncoder().encodeToString("jörg:a:b".getBytes(StandardCharsets.UTF_8));
    var credential = BasicCredential.read("bAsIc  " + encoded);
    assertThat(credential).isNotNull();
    assertThat(credential.getCaller()).isEqualTo("jörg");
    assertThat(credential.getPasswordAsString()).isEqualTo("a:b");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {"", "Basic", "Basic ", "Basic !!!", "Basic YWRtaW4=", "Basic OnB3", "Bearer x"})
  void malformed_header_yields_no_credential(String header) {
    assertThat(BasicCredential.read(header)).isNull();
  }
}
