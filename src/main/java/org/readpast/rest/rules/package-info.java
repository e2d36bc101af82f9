/**
 * Contains the resources for rules and for what SQL jobs have executed.
 *
 * <p>Knows {@code rest.jobs} and what lies below.
 */
package org.readpast.rest.rules;
