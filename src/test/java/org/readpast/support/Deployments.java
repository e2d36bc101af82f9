package org.readpast.support;

import java.io.File;
import java.net.URISyntaxException;
import org.assertj.core.api.Assertions;
import org.jboss.shrinkwrap.api.Filters;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** Creates the archives that Arquillian deploys. */
public final class Deployments {
  private Deployments() {}

  /** Returns the WAR of the build, with test classes and AssertJ added. */
  public static WebArchive readpast(Class<?>... testClasses) {
    return builtWar().addClasses(testClasses).addAsLibrary(jarOf(Assertions.class));
  }

  /**
   * Returns an application that has Readpast among its libraries, with the given classes and
   * AssertJ.
   */
  public static WebArchive application(String name, Class<?>... classes) {
    return ShrinkWrap.create(WebArchive.class, name + ".war")
        .merge(builtWar(), Filters.include("/WEB-INF/lib/.*"))
        .addAsLibrary(BuildDirectories.libraryJar().toFile())
        .addAsWebInfResource(new StringAsset(""), "beans.xml")
        .addClasses(Await.class, Await.Condition.class)
        .addClasses(classes)
        .addAsLibrary(jarOf(Assertions.class));
  }

  /** Adds a MicroProfile Config file to an application, in lines {@code key=value}. */
  public static WebArchive configured(WebArchive application, String... lines) {
    return application.addAsResource(
        new StringAsset(String.join("\n", lines)), "META-INF/microprofile-config.properties");
  }

  private static WebArchive builtWar() {
    return ShrinkWrap.create(ZipImporter.class, "readpast.war")
        .importFrom(BuildDirectories.war().toFile())
        .as(WebArchive.class);
  }

  private static File jarOf(Class<?> type) {
    try {
      return new File(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
