package org.readpast.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.support.Deployments;
import org.readpast.support.Http;

/**
 * Tests that the built WAR deploys with the data sources that each server's configuration defines.
 */
@ExtendWith(ArquillianExtension.class)
class SmokeIT {
  @Inject BeanManager beans;
  @Inject UserTransaction transaction;

  @Resource(lookup = "java:comp/DefaultManagedExecutorService")
  ManagedExecutorService executor;

  @Resource(lookup = "jdbc/readpast")
  DataSource workers;

  @Resource(lookup = "jdbc/readpast-system")
  DataSource system;

  @ArquillianResource URI base;

  @Deployment
  static WebArchive readpast() {
    return Deployments.readpast(SmokeIT.class);
  }

  @Test
  void both_data_sources_can_be_queried_in_a_transaction() throws Exception {
    assertThat(beans).isNotNull();
    for (var dataSource : new DataSource[] {workers, system}) {
      transaction.begin();
      try (var connection = dataSource.getConnection();
          var rows = connection.createStatement().executeQuery("select current_user")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEqualTo("readpast");
        assertThat(transaction.getStatus()).isEqualTo(Status.STATUS_ACTIVE);
      } finally {
        transaction.rollback();
      }
    }
  }

  @Test
  void forty_blocking_tasks_run_concurrently() throws Exception {
    var waiting = new CountDownLatch(40);
    var release = new CountDownLatch(1);
    for (int task = 0; task < 40; task++) {
      executor.submit(
          () -> {
            waiting.countDown();
            return release.await(30, TimeUnit.SECONDS);
          });
    }
    try {
      assertThat(waiting.await(5, TimeUnit.SECONDS)).isTrue();
    } finally {
      release.countDown();
    }
  }

  @Test
  @RunAsClient
  void start_page_is_served() throws Exception {
    var response = Http.CLIENT.send(HttpRequest.newBuilder(base).build(), BodyHandlers.ofString());
    assertThat(base.getPath()).isEqualTo("/readpast/");
    assertThat(response.statusCode()).as(response.body()).isLessThan(500);
  }
}
