/**
 * Breaks servers, the database and the connections between them, and checks that no job is lost.
 */
@NullMarked
package org.readpast.faults;

import org.jspecify.annotations.NullMarked;
