package org.readpast.example.archive;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Puts the resources at the root of the context. */
@ApplicationPath("/")
public class ArchiveApplication extends Application {}
