/**
 * Contains the tests of container transactions of handlers and callers, on one data source and on
 * several.
 */
package org.readpast.server.transactions;
