package org.readpast.server.app;

import jakarta.enterprise.context.Dependent;

/** One for each who injects it, and for each job. */
@Dependent
public class OwnChores extends InheritedChores {}
