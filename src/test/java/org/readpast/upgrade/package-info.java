/**
 * Two versions on one database: of an application, and of Readpast itself. Jobs of every kind are
 * enqueued while versions come and go; a ledger that the handlers write in their transactions shows
 * what became of each.
 */
package org.readpast.upgrade;
