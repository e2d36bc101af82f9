package org.readpast.runtime;

import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.readpast.api.ReadpastException;

/** The server's data sources. */
final class DataSources {
  private DataSources() {}

  /**
   * The one of this JNDI name.
   *
   * @param name the administrator's, from configuration; none ever comes from data
   */
  @SuppressWarnings("BanJNDI")
  static DataSource find(String name) {
    try {
      return InitialContext.doLookup(name);
    } catch (NamingException e) {
      throw new ReadpastException(
          "there is no data source '"
              + name
              + "'; define one of this name in the server, or name another with"
              + " readpast.datasource, readpast.datasource.system or readpast.sql.datasources",
          e);
    }
  }
}
