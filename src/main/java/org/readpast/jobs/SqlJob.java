package org.readpast.jobs;

import jakarta.json.JsonObject;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobType;

/**
 * Holds the payload of a job that executes one SQL statement. In the queue's data source, one
 * transaction executes the statement and ends the job. In another data source, the job is LEASED
 * and the statement commits by itself.
 *
 * @param statement the name of a statement in the configuration
 * @param sql the statement itself, if the configuration allows that; used instead of {@code
 *     statement}
 * @param parameters the values of {@code :name} in the statement: numbers, strings, booleans or
 *     nulls; an array or an object becomes its JSON text. A parameter of any other type needs a
 *     cast in the statement, such as {@code cast(:day as date)}. Null if there are no parameters
 * @param datasource one of {@code readpast.sql.datasources}, or null for the queue's data source
 */
@JobType(value = "sql", queue = "sql")
public record SqlJob(
    @Nullable String statement,
    @Nullable String sql,
    @Nullable JsonObject parameters,
    @Nullable String datasource) {}
