package org.readpast.jobs;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.SqlWork;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.Receive;
import org.readpast.engine.LeasedModePredicate;
import org.readpast.model.Names;
import org.readpast.model.SqlRefusedException;

/**
 * Handles {@link SqlJob}. The default timeout is longer than the default of {@code
 * readpast.sql.timeout}, so that the statement is what ends first.
 */
@ApplicationScoped
@Receive(timeout = "PT10M")
public class SqlHandler implements JobHandler<SqlJob>, LeasedModePredicate<SqlJob> {
  // The maximum number of digits of the PostgreSQL type numeric.
  private static final int MOST_BEFORE_POINT = 131_072;
  private static final int MOST_AFTER_POINT = 16_383;

  @Inject SqlWork work;

  @Override
  public JobResult handle(SqlJob job, JobContext context) throws SQLException {
    try {
      var order =
          new SqlWork.Order(
              job.statement(), job.sql(), parameters(job.parameters()), job.datasource());
      work.execute(order, context);
      return JobResult.done();
    } catch (SqlRefusedException e) {
      return JobResult.failNow(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public boolean leased(SqlJob job) {
    return !work.transactional(job.datasource());
  }

  static Map<String, @Nullable Object> parameters(@Nullable JsonObject given) {
    Map<String, @Nullable Object> parameters = new HashMap<>();
    if (given != null) {
      given.forEach((name, value) -> parameters.put(name, parameter(name, value)));
    }
    return parameters;
  }

  private static @Nullable Object parameter(String name, JsonValue value) {
    return switch (value.getValueType()) {
      case NULL -> null;
      case TRUE -> true;
      case FALSE -> false;
      case STRING -> ((JsonString) value).getString();
      case NUMBER -> number(name, ((JsonNumber) value).bigDecimalValue());
      case ARRAY, OBJECT -> value.toString();
    };
  }

  /**
   * Returns whole numbers as integers, because PostgreSQL does not accept a numeric where it
   * expects an integer.
   */
  private static Object number(String name, BigDecimal value) {
    // The driver would need minutes to write all digits of a number with such an exponent.
    if (value.scale() > MOST_AFTER_POINT
        || (long) value.precision() - value.scale() > MOST_BEFORE_POINT) {
      throw new SqlRefusedException(
          "parameter '"
              + Names.excerpt(name)
              + "' is "
              + Names.excerpt(value.toString())
              + ", but PostgreSQL allows up to "
              + MOST_BEFORE_POINT
              + " digits before the decimal point and "
              + MOST_AFTER_POINT
              + " after it; specify a number within these limits");
    }
    try {
      return value.longValueExact();
    } catch (ArithmeticException e) {
      return value;
    }
  }
}
