/** Contains the tests of the applications of {@code src/examples} on a server. */
package org.readpast.server.examples;
