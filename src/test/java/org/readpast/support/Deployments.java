package org.readpast.support;

import java.io.File;
import java.net.URISyntaxException;
import org.assertj.core.api.Assertions;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** What Arquillian deploys. */
public final class Deployments {
  private Deployments() {}

  /** The WAR as it was built, with test classes and AssertJ put in. */
  public static WebArchive readpast(Class<?>... testClasses) {
    return ShrinkWrap.create(ZipImporter.class, "readpast.war")
        .importFrom(BuildDirectories.war().toFile())
        .as(WebArchive.class)
        .addClasses(testClasses)
        .addAsLibrary(jarOf(Assertions.class));
  }

  private static File jarOf(Class<?> type) {
    try {
      return new File(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
