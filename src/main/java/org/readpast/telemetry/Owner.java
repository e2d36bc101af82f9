package org.readpast.telemetry;

/**
 * Whose engine it is.
 *
 * @param application as the server calls it
 * @param module part of the application that the engine is in
 */
public record Owner(String application, String module) {}
