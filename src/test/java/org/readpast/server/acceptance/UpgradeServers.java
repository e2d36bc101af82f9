package org.readpast.server.acceptance;

import java.nio.file.Path;
import org.jboss.shrinkwrap.api.Filters;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.readpast.server.acceptance.PreviousVersion.Build;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.ServerSpec;
import org.readpast.upgrade.ChangedJobs;
import org.readpast.upgrade.CommonJobs;
import org.readpast.upgrade.FirstVersion;
import org.readpast.upgrade.LedgerWriter;
import org.readpast.upgrade.Rounds;
import org.readpast.upgrade.SecondVersion;
import org.readpast.upgrade.app.AppLedger;
import org.readpast.upgrade.app.CommonHandlers;
import org.readpast.upgrade.app.RoundServlet;
import org.readpast.upgrade.app.first.FirstHandlers;
import org.readpast.upgrade.app.second.SecondHandlers;

/** Starts servers with a version of the application on a version of Readpast. */
final class UpgradeServers {
  static final int FIRST_LIMIT = 2;
  static final int SECOND_LIMIT = 4;
  static final String PASSWORD = "upgrade";

  // Both versions of the application are deployed under one name, because the name is part of
  // default job types.
  private static final String NAME = "upgrade";

  private UpgradeServers() {}

  /** Starts a server with the first version of the application. */
  static ServerSpec first(Database database, String test, String node, Build library) {
    return server(
        database,
        test,
        node,
        library,
        application(library, FIRST_LIMIT)
            .addClasses(FirstVersion.class, FirstHandlers.class)
            .addClasses(FirstVersion.class.getDeclaredClasses()));
  }

  /** Starts a server with the second version of the application. */
  static ServerSpec second(Database database, String test, String node, Build library) {
    return server(
        database,
        test,
        node,
        library,
        application(library, SECOND_LIMIT)
            .addClasses(SecondVersion.class, SecondHandlers.class)
            .addClasses(SecondVersion.class.getDeclaredClasses()));
  }

  private static WebArchive application(Build library, int limit) {
    return ShrinkWrap.create(WebArchive.class, NAME + ".war")
        .merge(
            ShrinkWrap.create(ZipImporter.class)
                .importFrom(library.war().toFile())
                .as(WebArchive.class),
            Filters.include("/WEB-INF/lib/.*"))
        .addAsLibrary(library.libraryJar().toFile())
        .addAsWebInfResource(new StringAsset(""), "beans.xml")
        .addAsResource(
            new StringAsset(
                "readpast.queue.\"%s\".global-concurrency=%d"
                    .formatted(CommonJobs.LIMITED_QUEUE, limit)),
            "META-INF/microprofile-config.properties")
        .addClasses(AppLedger.class, CommonHandlers.class, RoundServlet.class)
        .addClasses(ChangedJobs.class, CommonJobs.class, LedgerWriter.class, Rounds.class)
        .addClasses(CommonJobs.class.getDeclaredClasses());
  }

  private static ServerSpec server(
      Database database, String test, String node, Build library, WebArchive application) {
    String name = test + "-" + node;
    Path war = BuildDirectories.run(name + "-applications").resolve(NAME + ".war");
    war.getParent().toFile().mkdirs();
    application.as(ZipExporter.class).exportTo(war.toFile(), true);
    return ServerSpec.named(name, database)
        .withApplication(NAME, war)
        .withApplication("readpast", library.war())
        .withProperty("readpast.node.name", node)
        .withAdmin(PASSWORD)
        .withReadyPath("/" + NAME + "/round");
  }
}
