/** Contains handlers that break the rules, for the application that must not deploy. */
package org.readpast.server.faulty;
