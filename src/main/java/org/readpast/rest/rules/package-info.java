/**
 * Contains the resources for rules and for the statements that SQL jobs have executed.
 *
 * <p>This package may depend on {@code rest.jobs} and the packages below it.
 */
package org.readpast.rest.rules;
