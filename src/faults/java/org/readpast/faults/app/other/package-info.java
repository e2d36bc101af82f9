/** Contains a second application on the same database. */
@NullMarked
package org.readpast.faults.app.other;

import org.jspecify.annotations.NullMarked;
