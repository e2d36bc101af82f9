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

/** Skips a class of tests and prints a notice if one of its required programs is not installed. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsTools.Installed.class)
@interface NeedsTools {
  String[] value();

  /** The programs are checked before the class is instantiated. */
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
      // The reason is printed here, because Failsafe counts skipped tests without their reasons.
      if (context.getTestMethod().isEmpty()) {
        System.out.println("[WARNING] " + notice);
      }
      return ConditionEvaluationResult.disabled(notice);
    }
  }
}
