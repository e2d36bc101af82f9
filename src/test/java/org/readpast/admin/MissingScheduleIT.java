package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.NotFoundException;
import org.readpast.api.PayloadCipher;
import org.readpast.model.AesGcm;
import org.readpast.model.Encryption;
import org.readpast.model.ScheduleDefinition;
import org.readpast.support.TestKeys;

class MissingScheduleIT {
  private final Operator operator = new Operator();
  private final AtomicInteger decrypted = new AtomicInteger();

  @AfterEach
  void leave() {
    operator.close();
  }

  /** Counts the strings that it decrypts. */
  private final class CountingCipher implements PayloadCipher {
    private final PayloadCipher cipher = new AesGcm(new TestKeys("k"));

    @Override
    public String currentKey() {
      return cipher.currentKey();
    }

    @Override
    public boolean hasKey(String key) {
      return cipher.hasKey(key);
    }

    @Override
    public byte[] encrypt(String key, byte[] plain, byte[] additionalData) {
      return cipher.encrypt(key, plain, additionalData);
    }

    @Override
    public byte[] decrypt(String key, byte[] encrypted, byte[] additionalData) {
      decrypted.incrementAndGet();
      return cipher.decrypt(key, encrypted, additionalData);
    }
  }

  @Test
  void error_names_some_schedules_without_decrypting_their_payloads() {
    operator.transactions.encryptWith(new Encryption(new CountingCipher(), false));
    for (int i = 10; i < 70; i++) {
      operator.schedules.define(
          ScheduleDefinition.read("s" + i, Map.of("daily", "02:30", "type", "known")), false);
    }
    assertThat(decrypted.getAndSet(0)).isPositive();
    String first = IntStream.range(10, 60).mapToObj(i -> "s" + i).collect(Collectors.joining(", "));
    for (ThrowingCallable request :
        List.<ThrowingCallable>of(
            () -> operator.schedules.get("none"),
            () -> operator.schedules.runs("none", null, 9),
            () -> operator.schedules.run("none"),
            () -> operator.schedules.switchTo("none", true),
            () -> operator.schedules.delete("none"))) {
      assertThatThrownBy(request)
          .isInstanceOf(NotFoundException.class)
          .hasMessageEndingWith("known schedules: " + first + " and more");
    }
    assertThat(decrypted).hasValue(0);
  }
}
