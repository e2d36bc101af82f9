/** The application that the in-container tests deploy: payloads, handlers, and what they saw. */
package org.readpast.server.app;
