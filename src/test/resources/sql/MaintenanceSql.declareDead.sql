update readpast_node set state = 'DEAD', ended_at = clock_timestamp()
where no in (select no from readpast_node silent where state in ('ACTIVE', 'STOPPING') and (
  greatest(beat_at, case when pg_postmaster_start_time() <= clock_timestamp() then pg_postmaster_start_time() end) < clock_timestamp() - lease_ms * interval '1 millisecond'
  or beat_at > clock_timestamp() + lease_ms * interval '1 millisecond') and exists (
    select 1 from readpast_node me where me.no = ?1 and me.state in ('ACTIVE', 'STOPPING')
      and me.beat_at between clock_timestamp() - me.lease_ms * interval '1 millisecond' * 2 / 3 and clock_timestamp()
      and silent.beat_at not between clock_timestamp() - me.lease_ms * interval '1 millisecond' and clock_timestamp()
      and greatest(me.steady_since, case when pg_postmaster_start_time() <= clock_timestamp() then pg_postmaster_start_time() end)
        < clock_timestamp() - greatest(me.lease_ms, silent.lease_ms) * interval '1 millisecond'
          * case when silent.beat_at between me.started_at
              and me.steady_since - silent.lease_ms * interval '1 millisecond' * 2 / 3 then 3 else 1 end)
  order by no for update skip locked)
returning no, name
