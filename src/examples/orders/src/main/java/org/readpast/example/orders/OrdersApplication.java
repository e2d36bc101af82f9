package org.readpast.example.orders;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Serves the resources at the root of the application. */
@ApplicationPath("/")
public class OrdersApplication extends Application {}
