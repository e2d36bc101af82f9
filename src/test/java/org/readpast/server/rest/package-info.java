/** Tests the REST API from the view of a client. */
package org.readpast.server.rest;
