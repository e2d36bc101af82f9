/**
 * Contains the tests of two versions on one database: of an application, and of Readpast itself.
 * Jobs of every kind are enqueued while versions are rolled out and back. The handlers write to a
 * ledger in their transactions, which records the outcome of each job.
 */
package org.readpast.upgrade;
