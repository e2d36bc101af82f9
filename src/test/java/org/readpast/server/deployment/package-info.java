/** Start, stop and redeployment, configurations for production, and faults that refuse a start. */
package org.readpast.server.deployment;
