package org.readpast;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
import jakarta.ws.rs.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.readpast.admin.Scoped;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.dependency.AlikeJobs;
import org.readpast.dependency.DependencyStore;
import org.readpast.dependency.HoldStore;
import org.readpast.dependency.WaveStore;
import org.readpast.retention.RetentionStore;
import org.readpast.schedule.Schedules;

@AnalyzeClasses(packages = "org.readpast", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final Set<String> CORE =
      Set.of(
          "org.readpast.engine",
          "org.readpast.store",
          "org.readpast.sql",
          "org.readpast.dependency",
          "org.readpast.enqueue",
          "org.readpast.database",
          "org.readpast.schedule",
          "org.readpast.retention",
          "org.readpast.model");

  private static final DescribedPredicate<JavaClass> CONTAIN_STATEMENTS =
      describe(
          "contain statements",
          one ->
              one.getPackageName().startsWith("org.readpast.") && file(one).matches(".*[a-z]Sql"));

  private static final Set<String> SAYING_WHO =
      Set.of(RolesAllowed.class.getName(), "org.readpast.rest.access.AnyQueue");

  @ArchTest
  static final ArchRule packages_know_only_what_lies_below =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("testkit")
          .definedBy("org.readpast.testkit")
          .layer("runtime")
          .definedBy("org.readpast.runtime")
          .layer("rest")
          .definedBy("org.readpast.rest..")
          .layer("jobs")
          .definedBy("org.readpast.jobs")
          .layer("telemetry")
          .definedBy("org.readpast.telemetry")
          .layer("admin")
          .definedBy("org.readpast.admin")
          .layer("admin.store")
          .definedBy("org.readpast.admin.store")
          .layer("admin.sql")
          .definedBy("org.readpast.admin.sql")
          .layer("schedule")
          .definedBy("org.readpast.schedule")
          .layer("retention")
          .definedBy("org.readpast.retention")
          .layer("engine")
          .definedBy("org.readpast.engine")
          .layer("dependency")
          .definedBy("org.readpast.dependency")
          .layer("enqueue")
          .definedBy("org.readpast.enqueue")
          .layer("store")
          .definedBy("org.readpast.store")
          .layer("sql")
          .definedBy("org.readpast.sql")
          .layer("database")
          .definedBy("org.readpast.database")
          .layer("model")
          .definedBy("org.readpast.model")
          .layer("api")
          .definedBy("org.readpast.api")
          .whereLayer("testkit")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("runtime")
          .mayOnlyBeAccessedByLayers("testkit")
          .whereLayer("rest")
          .mayOnlyBeAccessedByLayers("runtime")
          .whereLayer("jobs")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("telemetry")
          .mayOnlyBeAccessedByLayers("runtime")
          .whereLayer("admin")
          .mayOnlyBeAccessedByLayers("testkit", "runtime", "rest", "jobs", "telemetry")
          .whereLayer("admin.store")
          .mayOnlyBeAccessedByLayers("runtime", "rest", "jobs", "telemetry", "admin")
          .whereLayer("admin.sql")
          .mayOnlyBeAccessedByLayers("admin.store")
          .whereLayer("retention")
          .mayOnlyBeAccessedByLayers("runtime")
          .whereLayer("schedule")
          .mayOnlyBeAccessedByLayers(
              "runtime", "rest", "admin", "admin.store", "admin.sql", "retention")
          .whereLayer("engine")
          .mayOnlyBeAccessedByLayers(
              "testkit", "runtime", "rest", "jobs", "telemetry", "admin", "schedule", "retention")
          .whereLayer("dependency")
          .mayOnlyBeAccessedByLayers("engine")
          .whereLayer("enqueue")
          .mayOnlyBeAccessedByLayers("runtime", "admin", "admin.store", "engine", "dependency")
          .whereLayer("store")
          .mayOnlyBeAccessedByLayers(
              "runtime",
              "rest",
              "jobs",
              "telemetry",
              "admin",
              "admin.store",
              "schedule",
              "retention",
              "engine",
              "dependency",
              "enqueue")
          .whereLayer("sql")
          .mayOnlyBeAccessedByLayers(
              "store", "admin.store", "admin.sql", "retention", "dependency", "enqueue");

  @ArchTest
  static final ArchRule shared_packages_of_rest_know_no_subject =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("subjects")
          .definedBy(
              "org.readpast.rest",
              "org.readpast.rest.jobs",
              "org.readpast.rest.queues",
              "org.readpast.rest.schedules",
              "org.readpast.rest.rules",
              "org.readpast.rest.batches",
              "org.readpast.rest.system",
              "org.readpast.rest.remote")
          .layer("access")
          .definedBy("org.readpast.rest.access")
          .layer("oidc")
          .definedBy("org.readpast.rest.oidc")
          .layer("signin")
          .definedBy("org.readpast.rest.signin")
          .layer("http")
          .definedBy("org.readpast.rest.http")
          .whereLayer("subjects")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("access")
          .mayOnlyBeAccessedByLayers("subjects")
          .whereLayer("oidc")
          .mayOnlyBeAccessedByLayers("access")
          .whereLayer("signin")
          .mayOnlyBeAccessedByLayers("subjects", "access", "oidc")
          .whereLayer("http")
          .mayOnlyBeAccessedByLayers("subjects", "access", "oidc");

  /** Every subject package may use {@code rest.jobs}, which therefore uses none of them. */
  @ArchTest
  static final ArchRule subjects_of_rest_do_not_know_each_other =
      slices()
          .matching("org.readpast.rest.(*)")
          .should()
          .notDependOnEachOther()
          .ignoreDependency(
              alwaysTrue(),
              resideInAnyPackage(
                  "org.readpast.rest.jobs",
                  "org.readpast.rest.access",
                  "org.readpast.rest.oidc",
                  "org.readpast.rest.signin",
                  "org.readpast.rest.http"))
          .ignoreDependency(
              resideInAPackage("org.readpast.rest.system"),
              resideInAPackage("org.readpast.rest.queues"));

  @ArchTest
  static final ArchRule no_cycles =
      slices().matching("org.readpast.(**)").should().beFreeOfCycles();

  @ArchTest
  static void core_has_no_cycle_of_more_than_two_classes(JavaClasses classes) {
    Map<String, Set<String>> known = new TreeMap<>();
    for (JavaClass one : classes) {
      if (hasShortCycles(one)) {
        one.getDirectDependenciesFromSelf().stream()
            .map(dependency -> dependency.getTargetClass())
            .filter(ArchitectureTest::hasShortCycles)
            .forEach(
                other ->
                    known.computeIfAbsent(file(one), name -> new TreeSet<>()).add(file(other)));
      }
    }
    for (String one : known.keySet()) {
      Set<String> circle = reached(known, one);
      circle.removeIf(other -> !reached(known, other).contains(one));
      assertThat(circle).as("cycle of %s", one).hasSizeLessThanOrEqualTo(2);
    }
  }

  private static boolean hasShortCycles(JavaClass one) {
    return CORE.contains(one.getPackageName())
        && !one.getPackageName().equals("org.readpast.model");
  }

  private static String file(JavaClass one) {
    return one.getName().replaceAll("\\$.*", "");
  }

  /** Returns the classes that a class depends on, directly or indirectly. */
  private static Set<String> reached(Map<String, Set<String>> known, String from) {
    Set<String> reached = new TreeSet<>();
    Deque<String> next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      String one = next.pop();
      for (String other : known.getOrDefault(one, Set.of())) {
        if (!other.equals(one) && reached.add(other)) {
          next.add(other);
        }
      }
    }
    return reached;
  }

  /**
   * Checks that every class with more than six mutable fields gives a reason, because much mutable
   * state is hard to follow.
   */
  @ArchTest
  static void more_than_six_mutable_fields_need_a_reason(JavaClasses classes) throws IOException {
    Set<String> unexplained = new TreeSet<>();
    for (JavaClass one : classes) {
      long change =
          one.getFields().stream()
              .filter(field -> !field.getModifiers().contains(JavaModifier.FINAL))
              .count();
      if (CORE.contains(one.getPackageName()) && change > 6) {
        Path source = Path.of("src/main/java", file(one).replace('.', '/') + ".java");
        if (!Files.readString(source).contains("// This class has more than six mutable fields")) {
          unexplained.add(one.getName() + " (" + change + ")");
        }
      }
    }
    assertThat(unexplained).isEmpty();
  }

  @ArchTest
  static void core_classes_have_distinct_names(JavaClasses classes) {
    Map<String, Set<String>> named = new TreeMap<>();
    classes.stream()
        .filter(one -> CORE.contains(one.getPackageName()) && !one.getSimpleName().isEmpty())
        .filter(one -> !one.getSimpleName().equals("package-info"))
        .forEach(
            one ->
                named
                    .computeIfAbsent(one.getSimpleName(), name -> new TreeSet<>())
                    .add(one.getName()));
    named.values().removeIf(names -> names.size() == 1);
    assertThat(named).isEmpty();
  }

  @ArchTest
  static final ArchRule there_are_no_other_packages =
      classes()
          .should()
          .resideInAnyPackage(
              "org.readpast.api",
              "org.readpast.model",
              "org.readpast.sql",
              "org.readpast.store",
              "org.readpast.engine",
              "org.readpast.dependency",
              "org.readpast.enqueue",
              "org.readpast.database",
              "org.readpast.schedule",
              "org.readpast.retention",
              "org.readpast.admin",
              "org.readpast.admin.store",
              "org.readpast.admin.sql",
              "org.readpast.rest",
              "org.readpast.rest.jobs",
              "org.readpast.rest.queues",
              "org.readpast.rest.schedules",
              "org.readpast.rest.rules",
              "org.readpast.rest.batches",
              "org.readpast.rest.system",
              "org.readpast.rest.remote",
              "org.readpast.rest.access",
              "org.readpast.rest.oidc",
              "org.readpast.rest.signin",
              "org.readpast.rest.http",
              "org.readpast.jobs",
              "org.readpast.telemetry",
              "org.readpast.runtime",
              "org.readpast.testkit");

  @ArchTest
  static final ArchRule statements_know_the_jdk_and_each_other =
      classes()
          .that(CONTAIN_STATEMENTS)
          .should()
          .onlyDependOnClassesThat(resideInAPackage("java..").or(CONTAIN_STATEMENTS));

  @ArchTest
  static final ArchRule only_stores_send_statements =
      classes()
          .that()
          .belongToAnyOf(Sql.class, Row.class)
          .should()
          .onlyHaveDependentClassesThat(
              resideInAnyPackage(
                      "org.readpast.database",
                      "org.readpast.store",
                      "org.readpast.enqueue",
                      "org.readpast.admin.store")
                  .or(
                      belongToAnyOf(
                          Schedules.class,
                          RetentionStore.class,
                          DependencyStore.class,
                          HoldStore.class,
                          WaveStore.class,
                          AlikeJobs.class)));

  @ArchTest
  static final ArchRule the_engine_knows_no_container =
      noClasses()
          .that()
          .resideInAnyPackage(
              "org.readpast.engine",
              "org.readpast.schedule",
              "org.readpast.retention",
              "org.readpast.dependency",
              "org.readpast.enqueue",
              "org.readpast.model",
              "org.readpast.sql",
              "org.readpast.api")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("jakarta..", "javax..", "java.sql..")
                  .and(not(resideInAPackage("javax.crypto.."))));

  @ArchTest
  static final ArchRule nothing_deserializes =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.io.ObjectInputStream");

  @ArchTest
  static void every_method_of_the_rest_api_declares_its_roles(JavaClasses classes) {
    Set<String> silent = new TreeSet<>();
    for (JavaClass one : classes) {
      for (JavaMethod method : one.getMethods()) {
        if (method.isMetaAnnotatedWith(HttpMethod.class)
            && !one.isAnnotatedWith(PermitAll.class)
            && SAYING_WHO.stream()
                .noneMatch(who -> one.isAnnotatedWith(who) || method.isAnnotatedWith(who))) {
          silent.add(method.getFullName());
        }
      }
    }
    assertThat(silent).isEmpty();
  }

  private static boolean isOfRest(JavaClass one) {
    return (one.getPackageName() + ".").startsWith("org.readpast.rest.");
  }

  /**
   * Checks that REST resources receive only components that are limited to their caller; otherwise
   * a new route could return objects that the caller is not allowed to see.
   */
  @ArchTest
  static void rest_receives_only_components_limited_to_its_caller(JavaClasses classes) {
    Set<String> unlimited = new TreeSet<>();
    for (JavaClass one : classes) {
      if (isOfRest(one)) {
        one.getFields().stream()
            .filter(field -> field.isAnnotatedWith(Inject.class))
            .filter(field -> field.getRawType().isAssignableTo(Scoped.class))
            .filter(field -> !field.getRawType().isEquivalentTo(Scoped.class))
            .forEach(field -> unlimited.add(field.getFullName()));
      }
    }
    // PasswordCheck may have unlimited access to the audit, because it only writes entries.
    assertThat(unlimited).containsExactly("org.readpast.rest.signin.PasswordCheck.audit");
  }

  /** Checks the use of unlimited access, which returns objects of every queue. */
  @ArchTest
  static void rest_has_unlimited_reads_only_of_objects_that_its_caller_just_created(
      JavaClasses classes) {
    Set<String> all = new TreeSet<>();
    for (JavaClass one : classes) {
      if (isOfRest(one)) {
        one.getFieldAccessesFromSelf().stream()
            .filter(access -> access.getTarget().getName().equals("EVERYTHING"))
            .forEach(access -> all.add(access.getOrigin().getFullName().replaceAll("\\(.*", "")));
      }
    }
    assertThat(all).containsExactly("org.readpast.rest.batches.BatchesResource.define");
  }
}
