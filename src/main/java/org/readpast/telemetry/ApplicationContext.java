package org.readpast.telemetry;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Runs the methods of a bean with the application's class loader as the thread's context class
 * loader. A JMX connector calls the bean with the server's class loader, and a client that is
 * attached to the process calls it with none. On such threads, Payara finds neither CDI beans nor
 * the configuration of the application.
 */
final class ApplicationContext {
  private ApplicationContext() {}

  /**
   * Returns a proxy of the bean; each method of the interface runs in the application's context.
   */
  static <T> T around(Class<T> by, T bean) {
    ClassLoader application = bean.getClass().getClassLoader();
    return by.cast(
        Proxy.newProxyInstance(
            by.getClassLoader(),
            new Class<?>[] {by},
            (proxy, method, arguments) -> {
              Thread thread = Thread.currentThread();
              ClassLoader callers = thread.getContextClassLoader();
              thread.setContextClassLoader(application);
              try {
                return method.invoke(bean, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              } finally {
                thread.setContextClassLoader(callers);
              }
            }));
  }
}
