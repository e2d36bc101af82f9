package org.readpast.jobs;

import jakarta.json.JsonObject;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobType;

/**
 * A job that executes one SQL statement. In the data source of the queue that, and the end of the
 * job, are one transaction; in another one it is LEASED, and the statement commits by itself.
 *
 * @param statement name of a statement that the configuration has
 * @param sql a statement itself, where the configuration allows that; give one of the two
 * @param parameters what the statement calls {@code :name}: a number, a text, a boolean, null; an
 *     array or an object becomes its JSON text. What is to be of another type the statement casts,
 *     for instance {@code cast(:day as date)}. Null: none
 * @param datasource one of {@code readpast.sql.datasources}; null: the one of the queue
 */
@JobType(value = "sql", queue = "sql")
public record SqlJob(
    @Nullable String statement,
    @Nullable String sql,
    @Nullable JsonObject parameters,
    @Nullable String datasource) {}
