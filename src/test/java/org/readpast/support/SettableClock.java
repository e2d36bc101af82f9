package org.readpast.support;

import java.time.Duration;

/**
 * Replaces {@code clock_timestamp()} in one database by a clock that the test can set back. All
 * other functions of PostgreSQL still use the clock of the machine, so that after a change their
 * times are in the future, as those from before a change of the machine's clock are.
 */
public final class SettableClock {
  private final Database database;

  private SettableClock(Database database) {
    this.database = database;
  }

  /** Installs the clock for all connections that are opened later. */
  public static SettableClock installIn(Database database) {
    database.execute(
        """
        create schema test_clock;
        create table test_clock.offset_from_machine (behind interval not null);
        insert into test_clock.offset_from_machine values (interval '0');
        create function test_clock.clock_timestamp() returns timestamptz language sql volatile as
          $$ select pg_catalog.clock_timestamp() - behind from test_clock.offset_from_machine $$;
        do $$
        declare c record;
        begin
          for c in select table_schema, table_name, column_name from information_schema.columns
            where column_default = 'clock_timestamp()' loop
            execute format('alter table %I.%I alter column %I set default test_clock.clock_timestamp()',
              c.table_schema, c.table_name, c.column_name);
          end loop;
          execute format('alter database %I set search_path = test_clock, public, pg_catalog', current_database());
        end $$""");
    return new SettableClock(database);
  }

  /** Sets the clock back. */
  public void setBack(Duration by) {
    database.execute(
        "update test_clock.offset_from_machine set behind = behind + interval '%d seconds'"
            .formatted(by.toSeconds()));
  }
}
