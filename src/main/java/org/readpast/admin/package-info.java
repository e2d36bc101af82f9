/**
 * What people may do with jobs, queues and nodes: look, enqueue, cancel, reset, pause, schedule.
 * Shared by every shell.
 *
 * <p>Knows {@code engine}, {@code store} and what lies below.
 */
package org.readpast.admin;
