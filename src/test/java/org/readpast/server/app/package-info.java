/**
 * Contains the application that the in-container tests deploy: payloads, handlers and their
 * records.
 */
package org.readpast.server.app;
