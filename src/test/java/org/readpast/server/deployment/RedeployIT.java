package org.readpast.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.readpast.server.monitoring.Shop;
import org.readpast.support.Await;
import org.readpast.support.Command;
import org.readpast.support.Database;
import org.readpast.support.LibertyServer;
import org.readpast.support.RestApi;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/** Deploys an application repeatedly to a server that keeps running. */
class RedeployIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  // A thread of the server may still have the class loader of the previous deployment.
  private static final int SLACK = 1;

  private static final Database DATABASE = TestPostgres.shared().newDatabase();
  private static final ServerProcess SERVER = ServerProcess.of(Shop.server("redeploy", DATABASE));
  private static final RestApi REST = Shop.admin(SERVER);
  private static final int TIMES = Integer.getInteger("readpast.redeploys", 10);

  @BeforeAll
  static void start() {
    SERVER.start();
  }

  @AfterAll
  static void stop() {
    SERVER.kill();
  }

  @Test
  void redeployed_application_leaves_no_class_loader() throws Exception {
    work("first");
    long before = classLoaders();
    for (int i = 0; i < TIMES; i++) {
      SERVER.undeploy("shop");
      SERVER.deploy("shop");
      work("again" + i);
    }
    Await.until(
        SOON,
        "class loaders as before the redeployments",
        () -> {
          assertThat(classLoaders()).isLessThanOrEqualTo(before + SLACK);
          return true;
        });
  }

  private static void work(String name) {
    Shop.enqueue(REST, "[%s]".formatted(Shop.order(name, 0, "")));
    Await.until(
        SOON,
        "the end of the job",
        () ->
            TestDatabase.column(
                    DATABASE, "select id::text from readpast_job where state <> 'DISCARDED'")
                .isEmpty());
  }

  /** Returns the number of class loaders of web applications after a full garbage collection. */
  private static long classLoaders() throws Exception {
    String type =
        SERVER instanceof LibertyServer
            ? "com.ibm.ws.classloading.internal.AppClassLoader"
            : "org.glassfish.web.loader.WebappClassLoader";
    Pattern line =
        Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+" + Pattern.quote(type) + "(\\s.*)?$");
    return Command.runOrFail(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(SERVER.pid()),
                "GC.class_histogram"),
            Path.of("."),
            Map.of())
        .lines()
        .map(line::matcher)
        .filter(Matcher::matches)
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .sum();
  }
}
