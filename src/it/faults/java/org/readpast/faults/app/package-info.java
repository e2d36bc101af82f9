/** The handlers of the fault programme, which servers deploy; they report what they do. */
@NullMarked
package org.readpast.faults.app;

import org.jspecify.annotations.NullMarked;
