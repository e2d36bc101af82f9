package org.readpast.example.demo;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Leaves the root of the context to the page. */
@ApplicationPath("/api")
public class DemoApplication extends Application {}
