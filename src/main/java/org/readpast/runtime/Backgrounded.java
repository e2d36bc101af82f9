package org.readpast.runtime;

import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Binds {@link BackgroundInterceptor} to methods that are annotated with {@link
 * org.readpast.api.Background}. The annotation {@code Background} cannot be the binding itself,
 * because it depends on the JDK only.
 */
@InterceptorBinding
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Backgrounded {
  /** Provides the only instance that is needed, because the annotation has no members. */
  final class Literal extends AnnotationLiteral<Backgrounded> implements Backgrounded {
    private static final long serialVersionUID = 1;
    static final Literal INSTANCE = new Literal();
  }
}
