/** Contains the application whose jobs the benchmark measures. */
@NullMarked
package org.readpast.benchmark.app;

import org.jspecify.annotations.NullMarked;
