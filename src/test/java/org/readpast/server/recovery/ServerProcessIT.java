package org.readpast.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestPostgres;

/** Tests the test harness itself, on which fault tests rely. */
class ServerProcessIT {
  private final ServerProcess server =
      ServerProcess.of(
          ServerSpec.named("process", TestPostgres.shared().newDatabase())
              .withApplication("readpast", BuildDirectories.war()));

  @AfterEach
  void endServer() {
    if (server.isAlive()) {
      server.kill();
    }
  }

  @Test
  void server_is_killed_frozen_thawed_restarted_and_stopped() throws Exception {
    server.start();
    long first = server.pid();

    server.freeze();
    assertThatThrownBy(server::isReady).isInstanceOf(IOException.class);
    server.thaw();
    Await.until(Duration.ofSeconds(10), server::isReady);

    server.kill();
    assertThat(server.isAlive()).isFalse();

    server.start();
    assertThat(server.pid()).isNotEqualTo(first);
    assertThat(server.log()).exists();

    server.stop();
    assertThat(server.isAlive()).isFalse();
  }
}
