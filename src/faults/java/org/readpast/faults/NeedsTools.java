package org.readpast.faults;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a class of tests, with a notice, where one of these programs is not installed. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsTools.Installed.class)
@interface NeedsTools {
  String[] value();

  /** Before anything of the class is made. */
  final class Installed implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      NeedsTools needs = context.getRequiredTestClass().getAnnotation(NeedsTools.class);
      List<String> missing = Tools.missing(needs.value());
      if (missing.isEmpty()) {
        return ConditionEvaluationResult.enabled("all are installed");
      }
      String notice =
          context.getRequiredTestClass().getSimpleName() + " is skipped: " + Tools.notice(missing);
      // Failsafe counts what is skipped, but does not say why.
      if (context.getTestMethod().isEmpty()) {
        System.out.println("[WARNING] " + notice);
      }
      return ConditionEvaluationResult.disabled(notice);
    }
  }
}
