/**
 * Every statement that the engine sends, one method each, as text blocks with positional
 * parameters. Those that only operators and the console send are in {@code admin.sql}.
 *
 * <p>Knows the JDK only. PostgreSQL's clock decides every moment ({@code clock_timestamp()});
 * values are never concatenated. Casts are spelled {@code cast(?1 as t)} because an untyped null
 * would otherwise have no type.
 */
package org.readpast.sql;
