package org.readpast.engine;

/** Where jobs have become AVAILABLE: a lane of a queue. */
record Arrival(String queue, String type, int priority) {}
