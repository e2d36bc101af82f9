package org.readpast.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks results that callers must not ignore. Error Prone and other tools recognize annotations
 * with this simple name. This package has its own annotation because it depends only on the JDK.
 */
@Target({ElementType.PACKAGE, ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.CLASS)
@interface CheckReturnValue {}
