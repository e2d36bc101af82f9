package org.readpast.server.app;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;

/** Creates the application's own table. */
@Singleton
@Startup
@TransactionManagement(TransactionManagementType.BEAN)
public class Tables {
  @Inject Rows rows;

  @PostConstruct
  void create() {
    rows.run("create table if not exists app_note (note text not null)");
  }
}
