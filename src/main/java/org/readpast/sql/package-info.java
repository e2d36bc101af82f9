/**
 * Contains the statements that claim, end and release jobs and maintain nodes, one method each, as
 * text blocks with positional parameters. The statements that only operators and the console send
 * are in {@code admin.sql}; those of enqueuing, dependencies, schedules and retention are in the
 * packages with these names. In the Javadoc, "Returns (id, name)" lists the columns of the result.
 *
 * <p>This package may use the JDK only. All times are determined by PostgreSQL's clock ({@code
 * clock_timestamp()}). Values are passed as parameters and never concatenated into statements.
 * Casts are written {@code cast(?1 as t)}, because an untyped null would otherwise have no type.
 */
package org.readpast.sql;
