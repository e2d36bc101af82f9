package org.readpast.runtime;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.module.ModuleDescriptor.Version;
import java.util.List;
import liquibase.changelog.DatabaseChangeLog;
import liquibase.changelog.RanChangeSet;
import liquibase.database.Database;
import liquibase.exception.LiquibaseException;
import org.readpast.api.ReadpastException;

/**
 * Checks whether a newer version of Readpast has changed the tables. Most changes in newer versions
 * only add something, and this version continues to work. A change that removes something that
 * older versions need has a label such as {@code oldest-0.3}: versions before 0.3 then refuse to
 * start.
 */
final class NewerChanges {
  private static final Logger LOG = System.getLogger(Schema.class.getName());
  private static final String OLDEST = "oldest-";

  private NewerChanges() {}

  /**
   * Logs the changes that this version does not know.
   *
   * @throws ReadpastException if a change excludes this version
   */
  static void check(Database database, DatabaseChangeLog known, String version)
      throws LiquibaseException {
    List<RanChangeSet> unknown =
        database.getRanChangeSetList().stream()
            .filter(ran -> known.getChangeSet(ran) == null)
            .toList();
    for (RanChangeSet ran : unknown) {
      for (String label : ran.getLabels().getLabels()) {
        if (label.startsWith(OLDEST) && isOlder(version, label.substring(OLDEST.length()))) {
          throw new ReadpastException(
              "the tables were changed by a newer version of Readpast (change '"
                  + ran.getId()
                  + "') and no longer work with this version, "
                  + version
                  + "; deploy Readpast "
                  + label.substring(OLDEST.length())
                  + " or newer in this application");
        }
      }
    }
    if (!unknown.isEmpty()) {
      LOG.log(
          Level.INFO,
          "READPAST-0038 a newer version of Readpast has changed the tables: {0} changes are"
              + " unknown to version {1} in this application, but this version still works with"
              + " the tables. Upgrade this application before any other application is upgraded"
              + " further",
          Integer.toString(unknown.size()),
          version);
    }
  }

  /**
   * Returns true if a version is older than another one. A version that has not been released yet
   * is treated like the release that it will become.
   */
  private static boolean isOlder(String version, String oldest) {
    return Version.parse(version.split("-", 2)[0]).compareTo(Version.parse(oldest)) < 0;
  }
}
