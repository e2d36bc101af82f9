package org.readpast.modeltest;

import java.util.List;
import java.util.Optional;
import net.jqwik.api.AfterFailureMode;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;
import org.readpast.modeltest.Commands.Step;

/**
 * Tests commands of applications, nodes and operators in random order. After each step, the
 * database must have the same state as the model.
 */
class StoreModelIT {

  @Property(
      generation = GenerationMode.RANDOMIZED,
      edgeCases = EdgeCasesMode.NONE,
      shrinking = ShrinkingMode.OFF,
      afterFailure = AfterFailureMode.RANDOM_SEED)
  @AddLifecycleHook(AsAsked.class)
  void any_sequence_of_commands_ends_as_the_model_predicts(
      @ForAll("sequences") List<Step> sequence) {
    AssertionError failure = Reduction.failureOf(sequence);
    if (failure != null) {
      throw failure;
    }
  }

  @Provide
  Arbitrary<List<Step>> sequences() {
    return Commands.sequences();
  }

  /** Runs the number of sequences that the build specifies; a run can be repeated with its seed. */
  static final class AsAsked implements AroundPropertyHook {
    @Override
    public PropertyExecutionResult aroundProperty(
        PropertyLifecycleContext context, PropertyExecutor property) throws Throwable {
      said("readpast.model.sequences")
          .ifPresent(number -> context.attributes().setTries(Integer.valueOf(number)));
      said("model.seed").ifPresent(seed -> context.attributes().setSeed(seed));
      return property.execute();
    }

    private static Optional<String> said(String property) {
      return Optional.ofNullable(System.getProperty(property)).filter(value -> !value.isBlank());
    }
  }
}
