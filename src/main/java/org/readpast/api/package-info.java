/**
 * What other applications compile against: enqueue with {@link org.readpast.api.JobQueue}, handle
 * with {@link org.readpast.api.JobHandler} or {@link org.readpast.api.Handles}.
 *
 * <p>Knows the JDK only. Everything here is public for ever.
 */
package org.readpast.api;
