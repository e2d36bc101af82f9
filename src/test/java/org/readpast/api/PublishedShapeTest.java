package org.readpast.api;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * Tests that the published types can be extended, and that they declare nulls and unused results in
 * a form that tools can check.
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

  /**
   * If these interfaces got another abstract method, applications that implement them would no
   * longer compile.
   */
  @ArchTest
  static void interfaces_for_applications_have_no_new_abstract_method(JavaClasses published) {
    assertThat(
            Stream.of("JobHandler", "RemoteJobHandler", "EncryptionKeys", "PayloadCipher")
                .flatMap(name -> published.get("org.readpast.api." + name).getMethods().stream())
                .filter(method -> method.getModifiers().contains(JavaModifier.ABSTRACT))
                .map(method -> method.getOwner().getSimpleName() + "." + method.getName()))
        .containsExactlyInAnyOrder(
            "JobHandler.handle",
            "RemoteJobHandler.handle",
            "EncryptionKeys.current",
            "EncryptionKeys.find",
            "PayloadCipher.currentKey",
            "PayloadCipher.hasKey",
            "PayloadCipher.encrypt",
            "PayloadCipher.decrypt");
  }

  /**
   * Callers may ignore the results of calls that also have an effect. The results of calls without
   * any other effect must not be ignored.
   */
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
