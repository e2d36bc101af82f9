package org.readpast.support;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Drops the databases of each test class when the class has ended. JUnit finds this extension. */
public final class DropDatabases implements AfterAllCallback {
  @Override
  public void afterAll(ExtensionContext context) {
    boolean nested = context.getParent().flatMap(ExtensionContext::getTestClass).isPresent();
    if (!nested) {
      TestDatabase.dropCopies();
    }
  }
}
