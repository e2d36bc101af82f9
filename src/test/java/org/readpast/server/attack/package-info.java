/**
 * Contains attacks and their required results, on Open Liberty; {@code RolesIT} runs on both
 * servers.
 */
package org.readpast.server.attack;
