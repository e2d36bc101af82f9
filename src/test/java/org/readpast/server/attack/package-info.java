/** What attackers send, and what must come of it; on Open Liberty, see {@code RolesIT} for both. */
package org.readpast.server.attack;
