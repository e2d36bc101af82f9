package org.readpast.sql;

/** Statements about limits over all nodes. */
public final class PermitSql {
  private PermitSql() {}

  /**
   * 1: queue. Gives (seconds of the database's clock) and locks the queue's row, or gives nothing
   * if another has it.
   */
  public static String lock() {
    // What follows is a statement of its own: it is to see what was committed before this one.
    // Without waiting: who has the lock may have frozen, and only who beats can declare it dead.
    return """
        select cast(extract(epoch from clock_timestamp()) as bigint) from readpast_queue
        where name = ?1 for no key update skip locked""";
  }

  /** 1: queue. Gives (node, held, wanted, whether the node is live), by node. */
  public static String holdings() {
    return """
        select p.node, p.held, p.wanted, coalesce(n.state in ('ACTIVE', 'STOPPING'), false)
        from readpast_permit p left join readpast_node n on n.no = p.node
        where p.queue = ?1 order by p.node""";
  }

  /**
   * 1: queue, 2: class of the advisory lock. Lets go of the permits of nodes that have ended, once
   * none of their jobs is RUNNING and none of their transactions is open. A claim that was under
   * way when its node was declared dead has marked its transaction by then: hence the two seconds.
   */
  public static String releaseDead() {
    return """
        delete from readpast_permit p where p.queue = ?1
          and not exists (
            select 1 from readpast_node n where n.no = p.node and (n.state in ('ACTIVE', 'STOPPING')
              or n.ended_at > clock_timestamp() - interval '2 seconds'))
          and (
            select 1 from readpast_job j
            where j.id = any(array(select unnest(jobs) from readpast_lease where node = p.node))
              and j.owner = p.node and j.queue = p.queue limit 1) is null
          and not exists (
            select 1 from pg_locks l where l.locktype = 'advisory' and l.classid = cast(?2 as oid)
              and l.objid = p.node
              and l.database = (select oid from pg_database where datname = current_database()))""";
  }

  /** 1: node, 2: queue. Gives (id, claim_no) of its jobs that are RUNNING there. */
  public static String running() {
    return """
        select id, claim_no from readpast_job
        where id = any(array(select unnest(jobs) from readpast_lease where node = ?1)) and owner = ?1 and queue = ?2""";
  }

  /** 1: queue, 2: node, 3: held, 4: wanted. */
  public static String hold() {
    return """
        insert into readpast_permit as p (queue, node, held, wanted) values (?1, ?2, ?3, ?4)
        on conflict (queue, node) do update set held = excluded.held, wanted = excluded.wanted
        where (p.held, p.wanted) is distinct from (excluded.held, excluded.wanted)""";
  }
}
