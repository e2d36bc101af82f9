package org.readpast.example.archive;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Serves the resources at the root of the application. */
@ApplicationPath("/")
public class ArchiveApplication extends Application {}
