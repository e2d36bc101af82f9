package org.readpast.modeltest;

import org.readpast.support.Database;

/**
 * Replaces {@code clock_timestamp()} by a clock that the test controls. The clock advances by a
 * microsecond each time that it is read, and when the test advances it.
 */
final class TickingClock {
  private TickingClock() {}

  /** Advances the clock. Parameter: the time in ms. */
  static final String ADVANCE =
      "select setval('test_clock.tick', nextval('test_clock.tick') + cast(? as bigint) * 1000)";

  /** Installs the clock for all new connections. */
  static void install(Database database) {
    database.execute(
        """
        create schema test_clock;
        create sequence test_clock.tick;
        select setval('test_clock.tick', cast(extract(epoch from clock_timestamp()) * 1000000 as bigint));
        create function test_clock.clock_timestamp() returns timestamptz language sql volatile as
          $$ select timestamptz 'epoch' + nextval('test_clock.tick') * interval '1 microsecond' $$;
        do $$
        declare c record;
        begin
          for c in select table_name, column_name from information_schema.columns
            where table_schema = 'public' and column_default = 'clock_timestamp()' loop
            execute format('alter table %I alter column %I set default test_clock.clock_timestamp()',
              c.table_name, c.column_name);
          end loop;
          execute format('alter database %I set search_path = test_clock, public, pg_catalog', current_database());
        end $$""");
  }
}
