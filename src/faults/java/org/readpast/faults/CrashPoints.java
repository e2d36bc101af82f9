package org.readpast.faults;

import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.namedOneOf;
import static net.bytebuddy.matcher.ElementMatchers.not;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.pool.TypePool;
import org.jboss.shrinkwrap.api.asset.ByteArrayAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.readpast.faults.app.CrashPoint;

/**
 * Adds crash points before and after the steps of claim, execution, completion, release, dependency
 * resolution and takeover; a server can be killed at each of them.
 */
final class CrashPoints {
  private static final Map<String, List<String>> STEPS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(
                  "org.readpast.store.Claims",
                  List.of("lease", "leaseWithin", "leaseFromWave", "recordStart")),
              Map.entry("org.readpast.engine.HandlerInvoker", List.of("run")),
              Map.entry("org.readpast.engine.JobWorker", List.of("work", "release")),
              Map.entry("org.readpast.engine.LeasedWork", List.of("end")),
              Map.entry("org.readpast.engine.OutcomeRecorder", List.of("store", "catchUp")),
              Map.entry(
                  "org.readpast.engine.TransactionalWork",
                  List.of("run", "succeeds", "finished", "failed")),
              Map.entry("org.readpast.engine.Acknowledgements", List.of("flushNow")),
              Map.entry(
                  "org.readpast.store.JobEndStore",
                  List.of(
                      "completeAlike",
                      "completeOne",
                      "endLeased",
                      "endLeasedAndLeaseNext",
                      "endInTransaction",
                      "end")),
              Map.entry("org.readpast.store.ReleaseStore", List.of("retry", "postpone", "release")),
              Map.entry("org.readpast.enqueue.Enqueues", List.of("insert")),
              Map.entry(
                  "org.readpast.store.MaintenanceStore", List.of("lockLostOrOverdue", "promote")),
              Map.entry(
                  "org.readpast.dependency.DependencyStore",
                  List.of("takeUnseen", "takeEvents", "releaseAfterPredecessors", "releaseGroups")),
              Map.entry(
                  "org.readpast.dependency.WaveStore", List.of("count", "waiting", "releaseWaves")),
              Map.entry(
                  "org.readpast.runtime.JtaTransactions",
                  List.of(
                      "required",
                      "requiresNew",
                      "requiresNewUnbounded",
                      "autoCommit",
                      "inHandlerTransaction"))));

  private CrashPoints() {}

  /** Returns the names of all crash points, one before and one after each step. */
  static List<String> all() {
    List<String> all = new ArrayList<>();
    STEPS.forEach(
        (type, methods) ->
            methods.forEach(
                method -> {
                  all.add(type + "." + method + "-before");
                  all.add(type + "." + method + "-after");
                }));
    return all;
  }

  /**
   * Returns the steps whose class does not declare the method, for example after it was renamed.
   */
  static List<String> undeclared() {
    TypePool types = TypePool.Default.ofSystemLoader();
    List<String> undeclared = new ArrayList<>();
    STEPS.forEach(
        (type, methods) -> {
          var declared = types.describe(type).resolve().getDeclaredMethods();
          methods.stream()
              .filter(method -> declared.filter(named(method)).isEmpty())
              .forEach(method -> undeclared.add(type + "." + method));
        });
    return undeclared;
  }

  /** Makes the classes of a WAR call {@link CrashPoint}. */
  static void into(WebArchive war) {
    ClassFileLocator classes = ClassFileLocator.ForClassLoader.ofSystemLoader();
    TypePool types = TypePool.Default.of(classes);
    STEPS.forEach(
        (type, methods) -> {
          TypeDescription described = types.describe(type).resolve();
          String path = "WEB-INF/classes/" + type.replace('.', '/') + ".class";
          war.delete(path);
          war.add(
              new ByteArrayAsset(
                  new ByteBuddy()
                      .redefine(described, classes)
                      .visit(
                          Advice.to(Passing.class, classes)
                              .on(
                                  namedOneOf(methods.toArray(String[]::new))
                                      .and(not(isAbstract()))))
                      .make()
                      .getBytes()),
              path);
        });
  }

  /** Contains the code that is copied into each step. */
  static final class Passing {
    private Passing() {}

    @Advice.OnMethodEnter
    static void before(@Advice.Origin("#t.#m") String step) {
      CrashPoint.pass(step + "-before");
    }

    @Advice.OnMethodExit
    static void after(@Advice.Origin("#t.#m") String step) {
      CrashPoint.pass(step + "-after");
    }
  }
}
