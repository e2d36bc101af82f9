/**
 * What other applications compile against: enqueue with {@link org.readpast.api.JobQueue}, handle
 * with {@link org.readpast.api.JobHandler} or {@link org.readpast.api.Handles}.
 *
 * <p>Knows the JDK only; annotations for tools, {@code @NullMarked} and {@code @Nullable} of
 * JSpecify, need not be there when an application is compiled or runs. Everything here is public
 * for ever: data comes as interfaces and final classes, which can get more methods, and not as
 * records, whose constructors cannot get more parameters.
 *
 * <p>A parameter may be null, and a result is null, only where {@code @Nullable} says so. A result
 * must not be lost, which compilers with Error Prone check, except for calls that have an effect of
 * their own, such as an enqueue.
 */
@CheckReturnValue
@NullMarked
package org.readpast.api;

import org.jspecify.annotations.NullMarked;
