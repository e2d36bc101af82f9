package org.readpast.runtime;

import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.readpast.api.ReadpastException;

/** Looks up the server's data sources. */
final class DataSources {
  private DataSources() {}

  /**
   * Returns the data source with this JNDI name.
   *
   * @param name a name that an administrator has configured; it never originates from data
   */
  @SuppressWarnings("BanJNDI")
  static DataSource find(String name) {
    try {
      return InitialContext.doLookup(name);
    } catch (NamingException e) {
      throw new ReadpastException(
          "data source '"
              + name
              + "' does not exist; define it in the server, or name another one in"
              + " readpast.datasource, readpast.datasource.system or"
              + " readpast.sql.datasources",
          e);
    }
  }
}
