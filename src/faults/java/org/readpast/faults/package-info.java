/** Breaks servers, database and the way between them, and checks that nothing is lost by it. */
@NullMarked
package org.readpast.faults;

import org.jspecify.annotations.NullMarked;
