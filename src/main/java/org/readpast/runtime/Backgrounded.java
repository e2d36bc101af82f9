package org.readpast.runtime;

import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What binds {@link BackgroundInterceptor} to methods that bear {@link
 * org.readpast.api.Background}; that annotation itself knows the JDK only.
 */
@InterceptorBinding
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Backgrounded {
  /** Has no values, so there is one. */
  final class Literal extends AnnotationLiteral<Backgrounded> implements Backgrounded {
    private static final long serialVersionUID = 1;
    static final Literal INSTANCE = new Literal();
  }
}
