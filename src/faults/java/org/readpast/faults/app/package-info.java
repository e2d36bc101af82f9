/**
 * Contains code that all applications of the fault suite deploy. The handlers of these applications
 * report what they do.
 */
@NullMarked
package org.readpast.faults.app;

import org.jspecify.annotations.NullMarked;
