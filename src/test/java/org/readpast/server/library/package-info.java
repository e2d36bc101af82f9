/** Tests of what applications do with the library: enqueue, handle, schedule and observe jobs. */
package org.readpast.server.library;
