package org.readpast.example.demo;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Serves resources below a separate path, because the page is at the root. */
@ApplicationPath("/api")
public class DemoApplication extends Application {}
