package org.readpast.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks results that must not be lost. Error Prone and other tools know the annotation by its
 * simple name; it is an annotation of this package, as that knows the JDK only.
 */
@Target({ElementType.PACKAGE, ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.CLASS)
@interface CheckReturnValue {}
