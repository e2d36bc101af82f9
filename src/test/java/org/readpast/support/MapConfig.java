package org.readpast.support;

import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.eclipse.microprofile.config.spi.Converter;

/** Represents a configuration that contains only strings. */
public record MapConfig(Map<String, String> values) implements Config {
  @Override
  public <T> T getValue(String key, Class<T> type) {
    return getOptionalValue(key, type).orElseThrow(() -> new NoSuchElementException(key));
  }

  @Override
  public <T> Optional<T> getOptionalValue(String key, Class<T> type) {
    return Optional.ofNullable(values.get(key)).map(type::cast);
  }

  @Override
  public Iterable<String> getPropertyNames() {
    return values.keySet();
  }

  @Override
  public ConfigValue getConfigValue(String key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Iterable<ConfigSource> getConfigSources() {
    return List.of();
  }

  @Override
  public <T> Optional<Converter<T>> getConverter(Class<T> type) {
    return Optional.empty();
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    throw new UnsupportedOperationException();
  }
}
