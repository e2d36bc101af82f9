package org.readpast.server.app;

import jakarta.enterprise.context.Dependent;

/** Is a dependent bean: each injection point and each job has its own instance. */
@Dependent
public class OwnBackgroundTasks extends InheritedBackgroundTasks {}
