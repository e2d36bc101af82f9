package org.readpast.api;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/**
 * Tests that the published types can grow, and declare nulls and unused results in a form that
 * tools can check.
 */
@AnalyzeClasses(
    packages = {"org.readpast.api", "org.readpast.testkit"},
    importOptions = DoNotIncludeTests.class)
class PublishedShapeTest {
  @ArchTest
  static final ArchRule published_data_can_get_more_members =
      noClasses().that().arePublic().should().beRecords();

  @ArchTest
  static final ArchRule api_is_null_marked_and_its_results_are_to_be_used =
      classes()
          .that()
          .haveFullyQualifiedName("org.readpast.api.package-info")
          .should()
          .beAnnotatedWith(NullMarked.class)
          .andShould()
          .beAnnotatedWith(CheckReturnValue.class);

  /** The results of calls that also have an effect may be ignored. These calls have no effect. */
  @ArchTest
  static final ArchRule results_without_an_effect_must_not_be_lost =
      methods()
          .that()
          .areDeclaredInClassesThat()
          .haveNameMatching(
              "org\\.readpast\\.api\\.(Job(Request|Result|Selection|Reply|Context|Handler|Event)?|RemoteJobHandler)")
          .or()
          .haveFullName(
              "org.readpast.api.JobQueue.receive(java.lang.String, java.time.Duration, [Ljava.lang.String;)")
          .or()
          .haveFullName("org.readpast.api.JobQueue.await(long, java.time.Duration)")
          .or()
          .haveFullName("org.readpast.api.RemoteJobQueue.await(long, long)")
          .should(beToBeUsed());

  private static ArchCondition<JavaMethod> beToBeUsed() {
    return new ArchCondition<>("not be annotated as ignorable") {
      @Override
      public void check(JavaMethod method, ConditionEvents events) {
        JavaClass owner = method.getOwner();
        boolean ignorable =
            method.isAnnotatedWith(CanIgnoreReturnValue.class)
                || owner.isAnnotatedWith(CanIgnoreReturnValue.class);
        events.add(
            new SimpleConditionEvent(method, !ignorable, method.getFullName() + " may be lost"));
      }
    };
  }
}
