package org.readpast.example.orders;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Puts the resources at the root of the context. */
@ApplicationPath("/")
public class OrdersApplication extends Application {}
