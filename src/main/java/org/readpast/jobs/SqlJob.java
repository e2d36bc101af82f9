package org.readpast.jobs;

import jakarta.json.JsonObject;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobType;

/**
 * Represents a job that executes one SQL statement. In the queue's data source, the statement and
 * the end of the job are one transaction. In another data source, the job is LEASED and the
 * statement commits by itself.
 *
 * @param statement the name of a statement in the configuration
 * @param sql the statement itself, if the configuration allows that; give either this or {@code
 *     statement}
 * @param parameters the values of {@code :name} in the statement: a number, a text, a boolean or
 *     null; an array or an object becomes its JSON text. For any other type, the statement contains
 *     a cast, for instance {@code cast(:day as date)}. Null for none
 * @param datasource one of {@code readpast.sql.datasources}; null for the queue's data source
 */
@JobType(value = "sql", queue = "sql")
public record SqlJob(
    @Nullable String statement,
    @Nullable String sql,
    @Nullable JsonObject parameters,
    @Nullable String datasource) {}
