package org.readpast.server.app;

import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.readpast.support.Deployments;

/** Builds the application that the tests deploy. */
public final class Application {
  private Application() {}

  /**
   * Returns the whole application, with the classes of a test and additional lines of
   * configuration.
   */
  public static WebArchive archive(String name, Class<?> test, String... configuration) {
    WebArchive application = Deployments.application(name, test);
    for (Class<?> nested : test.getDeclaredClasses()) {
      application.addClass(nested);
    }
    return Deployments.configured(
        application.addPackage(Application.class.getPackage()), configuration);
  }
}
