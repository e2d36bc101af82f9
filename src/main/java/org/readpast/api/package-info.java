/**
 * Contains the API that other applications compile against: enqueue jobs with {@link
 * org.readpast.api.JobQueue}, and handle them with {@link org.readpast.api.JobHandler} or {@link
 * org.readpast.api.Handles}.
 *
 * <p>This package depends only on the JDK. The annotations {@code @NullMarked} and
 * {@code @Nullable} of JSpecify are for tools; they need not be present when an application is
 * compiled or runs. All types in this package are public forever. Data types are therefore
 * interfaces and final classes, to which methods can be added, and not records, whose constructors
 * cannot get more parameters.
 *
 * <p>A parameter or result may be null only if it is annotated with {@code @Nullable}. Callers must
 * not ignore a result, which Error Prone checks at compile time, unless the call also has an
 * effect, such as an enqueue.
 */
@CheckReturnValue
@NullMarked
package org.readpast.api;

import org.jspecify.annotations.NullMarked;
