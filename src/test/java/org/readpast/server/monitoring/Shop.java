package org.readpast.server.monitoring;

import java.nio.file.Path;
import java.time.Duration;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.Deployments;
import org.readpast.support.RestApi;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;

/** Specifies a server with the WAR and with an application that contains the library. */
public final class Shop {
  private Shop() {}

  public static ServerSpec server(String name, Database database) {
    // Open Liberty uses the file name as the name of an application.
    Path war = BuildDirectories.run(name + "-applications").resolve("shop.war");
    war.getParent().toFile().mkdirs();
    Deployments.configured(
            Deployments.application("shop", ShopHandlers.class)
                .addClasses(ShopHandlers.class.getDeclaredClasses()),
            "readpast.type.\"shop.order\".delay=PT0.1S")
        .as(ZipExporter.class)
        .exportTo(war.toFile(), true);
    return ServerSpec.named(name, database)
        .withApplication("readpast", BuildDirectories.war())
        .withApplication("shop", war)
        .withAdmin("shop")
        .withEnvironment("READPAST_METRICS_AUTHENTICATION", "false");
  }

  public static RestApi admin(ServerProcess server) {
    return new RestApi(server, "admin:shop");
  }

  /**
   * Enqueues a job once the application has registered its type. The WAR may be ready before the
   * type is registered, and then responds with 422.
   */
  public static void enqueue(RestApi rest, String jobs) {
    Await.until(
        Duration.ofSeconds(30),
        "the job type",
        () -> rest.post("/queues/orders/jobs", jobs).status() == 201);
  }

  /**
   * @param headers further members, such as {@code "delay": "PT1H",}
   */
  public static String order(String name, int failures, String headers) {
    return """
    {"type": "shop.order", %s "payload": {"name": "%s", "failures": %d}}"""
        .formatted(headers, name, failures);
  }
}
