package org.readpast.rest.signin;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.annotation.WebListener;
import java.util.Set;

/** Protects the session cookie from scripts and from requests that other sites cause. */
@WebListener
public class SessionCookie implements ServletContextListener {
  private static final int IDLE_MINUTES = 60;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    var context = event.getServletContext();
    context.setSessionTrackingModes(Set.of(SessionTrackingMode.COOKIE));
    context.setSessionTimeout(IDLE_MINUTES);
    var cookie = context.getSessionCookieConfig();
    cookie.setName("readpast");
    cookie.setHttpOnly(true);
    cookie.setPath(context.getContextPath().isEmpty() ? "/" : context.getContextPath());
    cookie.setAttribute("SameSite", "Strict");
  }
}
