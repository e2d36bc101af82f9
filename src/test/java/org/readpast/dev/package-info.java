/**
 * Contains the launcher for plain {@code mvn}: a durable PostgreSQL and Open Liberty with Readpast,
 * until Ctrl-C.
 */
package org.readpast.dev;
