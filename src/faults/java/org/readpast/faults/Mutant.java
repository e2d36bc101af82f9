package org.readpast.faults;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import java.util.List;
import java.util.function.Supplier;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.implementation.FixedValue;
import org.jboss.shrinkwrap.api.asset.ByteArrayAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.readpast.dependency.DependencySql;
import org.readpast.sql.ClaimSql;
import org.readpast.sql.EndSql;
import org.readpast.sql.NextInGroupSql;
import org.readpast.sql.ReleaseSql;

/**
 * Represents a bug that is planted in one statement of a WAR, and that the fault suite must find.
 */
enum Mutant {
  ENDS_WITHOUT_FENCE(
      EndSql.class, "endLeased", EndSql::endLeased, "j.claim_no = e_claim_no and j.", "j.", "I3"),
  RETRIED_ATTEMPTS_COUNTED_TWICE(
      ReleaseSql.class,
      "release",
      ReleaseSql::release,
      "case when e_started then 0 else 1 end",
      "case when e_started then -1 else 1 end",
      "attempts"),
  CLAIM_FORGETS_UNIQUE_KEY(
      ClaimSql.class,
      "lease",
      ClaimSql::lease,
      "owner = ?6",
      "unique_key = null, owner = ?6",
      "I6 unique key"),
  SOME_ENDS_NOT_KEPT(
      EndSql.class,
      "endLeased",
      EndSql::endLeased,
      "where e_keep <> 0",
      "where e_kept and id % 50 > 0",
      "I1"),
  LEASES_WHAT_OTHERS_WORK(
      ClaimSql.class, "lease", ClaimSql::lease, "state <> 'RUNNING'", "state <> 'SCHEDULED'", "I3"),
  CLAIMS_WHAT_RUNS_FROM_ITS_WAVE(
      ClaimSql.class,
      "leaseFromWave",
      ClaimSql::leaseFromWave,
      "and state = 'BLOCKED' and not unseen",
      "and not unseen",
      "I3"),
  WAVE_RELEASED_EARLY(
      DependencySql.class,
      "releaseWaves",
      DependencySql::releaseWaves,
      "live > 0)",
      "live > 1)",
      "I4 wave"),
  GROUP_OF_TWO(
      DependencySql.class,
      "releaseGroups",
      DependencySql::releaseGroups,
      "n.place <= coalesce(own.concurrency, 1)",
      "n.place <= coalesce(own.concurrency, 2)",
      "I4 group"),
  GROUP_LET_GO_BESIDE_WHAT_WAS_LEASED_AS_NEXT(
      DependencySql.class,
      "releaseGroups",
      DependencySql::releaseGroups,
      "when coalesce(own.concurrency, 1) = 1 then 1",
      "when coalesce(own.concurrency, 1) = 1 then 0",
      "I4 group"),
  GOES_ON_WITH_THE_LAST_OF_A_GROUP(
      NextInGroupSql.class,
      "endAndLeaseNext",
      NextInGroupSql::endAndLeaseNext,
      "order by id limit (case",
      "order by id desc limit (case",
      "I4 group"),
  PREDECESSORS_NOT_AWAITED(
      DependencySql.class,
      "releaseAfterPredecessors",
      DependencySql::releaseAfterPredecessors,
      "p.ended_as is null or p.on_failure = 'HOLD' or exists ( select 1 from readpast_job again where again.id between p.predecessor_id and p.predecessor_id)",
      "p.on_failure = 'HOLD'",
      "I4 predecessor"),
  FREES_NOTHING(
      ReleaseSql.class,
      "release",
      ReleaseSql::release,
      "j.claim_no = e_claim_no and j.state",
      "j.claim_no = e_claim_no + 1 and j.state",
      "I1 stuck"),
  GIVEN_BACK_AND_COUNTED(
      ReleaseSql.class,
      "release",
      ReleaseSql::release,
      "case when e_started then 0 else 1 end",
      "0",
      "attempts");

  private final Class<?> type;
  private final String method;
  private final Supplier<String> statement;
  private final String from;
  private final String to;
  private final String invariant;

  /**
   * Represents a bug.
   *
   * @param from the text in the statement that is replaced
   * @param invariant the beginning of the names of the violations that the bug must cause
   */
  Mutant(
      Class<?> type,
      String method,
      Supplier<String> statement,
      String from,
      String to,
      String invariant) {
    this.type = type;
    this.method = method;
    this.statement = statement;
    this.from = from;
    this.to = to;
    this.invariant = invariant;
  }

  /** Returns the kinds of faults that reveal the bug. */
  List<String> kinds() {
    return switch (this) {
      case ENDS_WITHOUT_FENCE -> List.of(Faults.FROZEN);
      case GIVEN_BACK_AND_COUNTED -> List.of("application redeployed");
      case FREES_NOTHING -> List.of(Story.Injected.KILL);
      // There are only a few faults, because after an error a node claims jobs one by one for a
      // while.
      case CLAIMS_WHAT_RUNS_FROM_ITS_WAVE -> List.of(Story.Injected.HORIZON, "backend terminated");
      // All of the following faults make jobs change their owners and wait.
      default ->
          List.of(
              Faults.FROZEN,
              "black hole",
              "errors raised",
              Story.Injected.KILL,
              "application redeployed");
    };
  }

  /**
   * Returns the approximate number of jobs to request per second. At a lower rate, short jobs run
   * sooner.
   */
  int rate() {
    return this == CLAIMS_WHAT_RUNS_FROM_ITS_WAVE ? 40 : 80;
  }

  String invariant() {
    return invariant;
  }

  /** Returns the statement with the bug. */
  String wrong() {
    String right = statement.get().replaceAll("\\s+", " ");
    if (!right.contains(from)) {
      throw new IllegalStateException(this + ": the statement has no '" + from + "': " + right);
    }
    return right.replace(from, to);
  }

  /** Plants the bug in a WAR. */
  void into(WebArchive war) {
    String path = "WEB-INF/classes/" + type.getName().replace('.', '/') + ".class";
    war.delete(path);
    war.add(
        new ByteArrayAsset(
            new ByteBuddy()
                .redefine(type)
                .method(named(method).and(takesNoArguments()))
                .intercept(FixedValue.value(wrong()))
                .make()
                .getBytes()),
        path);
  }
}
