/** Measures Readpast, the database beneath it, and others that do the same. */
@NullMarked
package org.readpast.benchmark;

import org.jspecify.annotations.NullMarked;
