/**
 * Contains the tests of start, stop and redeployment, of production configurations, and of errors
 * that refuse a start.
 */
package org.readpast.server.deployment;
