package org.readpast.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BeansXmlTest {
  private static BeansXml read(String text) throws IOException {
    return BeansXml.read(new ByteArrayInputStream(text.getBytes(UTF_8)));
  }

  private static BeansXml excluding(String filter) throws IOException {
    return read(
        """
        <beans xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0" bean-discovery-mode="annotated">
          <scan><exclude name="%s"><if-class-available name="a.B"/></exclude></scan>
        </beans>"""
            .formatted(filter));
  }

  @ParameterizedTest
  @CsvSource({
    "org.acme.Mail, true",
    "org.acme.Mailer, false",
    "org.acme.*, true",
    "org.*, false",
    "org.acme.jobs.*, false",
    "org.**, true",
    "org.acme.**, true",
    "org.ac.**, false",
  })
  void filter_excludes_a_class_a_package_or_a_package_with_its_subpackages(
      String filter, boolean excluded) throws IOException {
    assertThat(excluding(filter).excludes("org.acme.Mail")).isEqualTo(excluded);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<beans/>", "<beans bean-discovery-mode='all'/>"})
  void file_without_filters_excludes_nothing(String text) throws IOException {
    assertThat(read(text).excludes("org.acme.Mail")).isFalse();
  }

  @Test
  void archive_without_discovery_excludes_every_class() throws IOException {
    assertThat(read("<beans bean-discovery-mode='none'/>").excludes("org.acme.Mail")).isTrue();
  }

  @Test
  void external_entities_are_not_read() {
    assertThatThrownBy(
            () -> read("<!DOCTYPE beans [<!ENTITY x SYSTEM 'file:/etc/hostname'>]><beans/>"))
        .isInstanceOf(IOException.class);
  }
}
