/** Measures Readpast, its database, and other queues. */
@NullMarked
package org.readpast.benchmark;

import org.jspecify.annotations.NullMarked;
