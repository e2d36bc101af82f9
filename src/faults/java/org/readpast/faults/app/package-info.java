/** What all applications of the fault programme deploy; handlers report what they do. */
@NullMarked
package org.readpast.faults.app;

import org.jspecify.annotations.NullMarked;
