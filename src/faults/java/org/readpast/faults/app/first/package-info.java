/** Contains the application that most runs deploy on every server. */
@NullMarked
package org.readpast.faults.app.first;

import org.jspecify.annotations.NullMarked;
